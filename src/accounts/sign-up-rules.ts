import { z } from 'zod'

/** Long enough to be worth guessing at, short enough to be hashed at no cost. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const

export const passwordSchema = z.string().min(PASSWORD_LENGTH.min).max(PASSWORD_LENGTH.max)
export const emailSchema = z.email().max(254)
