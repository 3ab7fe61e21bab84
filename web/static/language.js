// The language of a page, which stays its own until the next page.

// What a script asks for is told in it, whatever another tab of the browser has chosen meanwhile.
export const inItsLanguage = { "X-Language": document.documentElement.lang };

// The browser's cookie keeps what was chosen by now: in the address it would be chosen once more by
// whoever comes back to this page.
const address = new URL(location.href);
if (address.searchParams.has("lang") && navigator.cookieEnabled) {
  address.searchParams.delete("lang");
  history.replaceState(history.state, "", address);
}
