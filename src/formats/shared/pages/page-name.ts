/** How files made of a page begin: `page-003`, with as many digits as the last page needs. */
export const namePage = (page: number, pageCount: number, unit = 'page'): string =>
  `${unit}-${String(page).padStart(Math.max(3, String(pageCount).length), '0')}`
