// The only functions of node:crypto that this pure package may call: deterministic arithmetic of OpenSSL. No
// other function is declared, so the compiler refuses ambient randomness, clocks and files.
declare module "node:crypto" {
  interface PowerEngine {
    /** bit mask of the flaws that DH_check found */
    readonly verifyError: number;
    setPrivateKey(exponentHex: string, encoding: "hex"): void;
    computeSecret(baseHex: string, inputEncoding: "hex", outputEncoding: "hex"): string;
  }
  function createDiffieHellman(modulusHex: string, encoding: "hex", generator: number): PowerEngine;
  function checkPrimeSync(candidate: bigint): boolean;

  interface HeldKey {
    readonly asymmetricKeyType?: string;
    export(encoding: { readonly format: "der"; readonly type: "spki" | "pkcs8" }): Uint8Array;
  }
  interface EncodedKey<Type> {
    readonly key: string;
    readonly encoding: "hex";
    readonly format: "der";
    readonly type: Type;
  }
  function createPrivateKey(encoded: EncodedKey<"pkcs8">): HeldKey;
  function createPublicKey(encoded: EncodedKey<"spki"> | HeldKey): HeldKey;
  function sign(algorithm: null, message: Uint8Array, key: HeldKey): Uint8Array;
  function verify(algorithm: null, message: Uint8Array, key: HeldKey, signature: Uint8Array): boolean;
  function diffieHellman(keys: { readonly privateKey: HeldKey; readonly publicKey: HeldKey }): Uint8Array;
}
