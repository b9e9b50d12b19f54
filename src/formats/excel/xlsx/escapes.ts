/** Characters that XML cannot hold are written `_x000D_` in these files; a line break is one, the rest are dropped. */
export const decodeEscapes = (text: string): string => {
  const plain = text.includes('_x') ? text.replace(/_x([0-9A-Fa-f]{4})_/g, decodeOne) : text
  return plain.includes('\r') ? plain.replace(/\r\n?/g, '\n') : plain
}

const decodeOne = (_whole: string, hex: string): string => {
  const code = Number.parseInt(hex, 16)
  return code < 32 && code !== 9 && code !== 10 && code !== 13 ? '' : String.fromCharCode(code)
}
