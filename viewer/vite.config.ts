import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: {
    outDir: "../python/multihop/viewing/app",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    rollupOptions: {
      output: {
        entryFileNames: "viewer.js",
        assetFileNames: "viewer[extname]",
      },
    },
  },
});
