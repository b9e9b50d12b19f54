// Runs before the page is drawn, so that a chosen theme does not flash.
try {
  const theme = localStorage.getItem('quarry.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be forbidden; the system's theme is used.
}
