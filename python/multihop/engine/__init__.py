"""What every layer uses: errors, texts, headers of frames, interruptions, outside programs."""
