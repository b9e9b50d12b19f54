const WORD =
  /^(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)|tabelle|figura|tabla|tabela|tableau|tabella|grafik|рис(?:унок|\.)|таблица|табл\.|chart|graph|exhibit|plate|scheme|listing|box|map|photo|图|圖|図|表)\s*/iu
const NUMBER = /^(?:\d+|[A-Z](?=[\d.:\s-])|[IVX]+(?![\p{L}]))(?:[.\-–]\d+)*(?:[a-zA-Z](?:[-–][a-zA-Z])?)?(?![\p{L}\d])/u
const AFTER = /^\s*(?:$|[:.|–—-]|[("“'«[]|\p{Lu}|\d|\p{Lo})/u
const LENGTH_LIMIT = 1_500

/** Whether a paragraph begins as captions do: `Figure 3: …`, `Table 2. …`; a sentence about the figure does not. */
export const isCaption = (text: string): boolean => {
  const word = WORD.exec(text)
  if (!word || text.length > LENGTH_LIMIT) return false
  const number = NUMBER.exec(text.slice(word[0].length))
  return number !== null && AFTER.test(text.slice(word[0].length + number[0].length))
}
