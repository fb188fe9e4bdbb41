export { usableToken } from "./client/developer-token.ts";
export { makeProgram } from "./program.ts";
