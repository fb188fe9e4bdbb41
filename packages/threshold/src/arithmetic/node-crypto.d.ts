// The only door from this pure package to its host: deterministic big-integer work of OpenSSL.
// Nothing else of node:crypto is declared, so the compiler refuses ambient randomness, clocks and files.
declare module "node:crypto" {
  interface PowerEngine {
    setPrivateKey(exponentHex: string, encoding: "hex"): void;
    computeSecret(baseHex: string, inputEncoding: "hex", outputEncoding: "hex"): string;
  }
  function createDiffieHellman(modulusHex: string, encoding: "hex", generator: number): PowerEngine;
  function checkPrimeSync(candidate: bigint): boolean;
}
