/** Long enough to be worth guessing at, short enough to be hashed at no cost. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const
