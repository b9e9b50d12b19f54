import { z } from 'zod'
import { PASSWORD_LENGTH } from '../core/password-length.ts'

export const passwordSchema = z.string().min(PASSWORD_LENGTH.min).max(PASSWORD_LENGTH.max)
export const emailSchema = z.email().max(254)
