package expansion

// FooterSize is footerSize, for tests that make a file's footer match it.
const FooterSize = footerSize
