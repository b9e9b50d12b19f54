/** A number with so many digits after the point, without the noise of binary fractions. */
export const round = (value: number, digits = 3): number => {
  const rounded = Number(value.toFixed(digits))
  return rounded === 0 ? 0 : rounded
}
