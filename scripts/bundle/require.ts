/** The first line of a bundle that is an ES module: modules of CommonJS in it call `require`. */
export const REQUIRE =
  'import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);';
