"""The rhythm in which visitors type, for whatever measures keys: always the same, so that versions can be compared."""

# Milliseconds before each key, made after the rhythm of people: half are shorter than 250, few are much longer (their
# logarithms are normally distributed), and about every dozen keys there is a pause for thought.
GAPS: tuple[int, ...] = (
    222, 155, 172, 177, 271, 475, 158, 265, 149, 268, 312, 1500, 118, 139, 368, 233, 225, 113, 228, 123,
    207, 220, 81, 175, 288, 1500, 132, 210, 326, 258, 261, 146, 167, 332, 202, 187, 274, 285, 1500, 499,
    152, 200, 230, 278, 128, 180, 292, 192, 212, 1500, 252, 185, 190, 236, 581, 238, 217, 691, 164, 255,
    296, 300, 308, 1500, 106, 215, 244, 143, 403, 426, 250, 304, 337, 355, 169, 250, 1500, 414, 393, 532,
    376, 182, 195, 322, 205, 440, 97, 456, 1500, 136, 343, 384, 281, 361, 241, 161, 317, 348, 1500, 197,
)  # fmt: skip
