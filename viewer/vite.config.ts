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
        chunkFileNames: "playground.js",
        assetFileNames: ({ names }) => (names[0] === "pages.css" ? "playground.css" : "viewer[extname]"),
      },
    },
  },
  // A thread of the playground, which has the engine.
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "worker.js" } } },
});
