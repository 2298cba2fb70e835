"""Why some claims differ, as far as tests have shown."""

THREE_HOPS = (
    "A matter of chance: over 3 hops one flow of a run starves, or neither does, and the paper's "
    "mean of ten runs has all of them. ns-2 2.35 gives the same as here: 1.34 when both flows "
    "start at once and 1.39 when they start up to 0.5 s apart, and with a smallest timeout of "
    "0.2 s instead of 1 s 1.13 and 1.34 (ten seeds each)."
)
