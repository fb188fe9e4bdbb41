// For the commands that make and pay tokens. Loads a chain's SDK only once one of its tokens is made or paid.
export { giveToken } from "./give-token.ts";
export { type KeptToken, keptTokens } from "./kept-tokens.ts";
export { makeLocalToken } from "./make-token.ts";
export { TOKEN_KINDS } from "./token-kinds.ts";
export type { TokenOrder } from "./token-terms.ts";
