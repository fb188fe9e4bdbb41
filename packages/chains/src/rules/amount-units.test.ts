import { type FamilyRules, type Network, networkSchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { FAMILIES } from "../registry.ts";

type Body = Parameters<FamilyRules["judgeTransfer"]>[1];
/** A transfer's body without its amount. */
type Unpriced = Body extends infer Each
  ? Each extends { readonly amount: string }
    ? Omit<Each, "amount">
    : never
  : never;

const network = (name: string): Network => networkSchema.parse(name);
const TOKEN = "the token's smallest unit";
const EVM_TO = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const EVM_TOKEN = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const EVM_FROM = "0x0497252f322a49cb5826405aef1e6de983ebba53";
const ALGORAND_FROM = "BH55E5RMBD4GYWXGX5W5PJ5JAHPGM5OXKDQH5DC4O2MGI7NW4H6VOE4CP4";
const ALGORAND_TO = "PNWOET7LLOWMBMLE4KOCELCX6X3D3Q4H2Q4QJASYIEOF7YIPPQBG3YQ5YI";
const STELLAR_FROM = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const STELLAR_TO = STELLAR_FROM;
const STELLAR_ISSUER = "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN";
const SOLANA_FROM = "83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri";
const SOLANA_TO = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T";
const SOLANA_MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
const TRON_FROM = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const TRON_TO = "TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY";
const TRON_TOKEN = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

const CASES: readonly (readonly [unit: string, string, string, Unpriced])[] = [
  [
    "wei, of which 1000000000000000000 are 1 ETH",
    "EthereumSepolia",
    EVM_FROM,
    { kind: "Native", to: EVM_TO },
  ],
  ["wei, of which 1000000000000000000 are 1 POL", "Polygon", EVM_FROM, { kind: "Native", to: EVM_TO }],
  [TOKEN, "EthereumSepolia", EVM_FROM, { kind: "Erc20", contract: EVM_TOKEN, to: EVM_TO }],
  [
    "satoshis",
    "Bitcoin",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    { kind: "Native", to: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" },
  ],
  ["microalgos, of which 1000000 are 1 ALGO", "Algorand", ALGORAND_FROM, { kind: "Native", to: ALGORAND_TO }],
  [TOKEN, "Algorand", ALGORAND_FROM, { kind: "Asa", assetId: "10458941", to: ALGORAND_TO }],
  ["stroops, of which 10000000 are 1 XLM", "Stellar", STELLAR_FROM, { kind: "Native", to: STELLAR_TO }],
  [
    TOKEN,
    "Stellar",
    STELLAR_FROM,
    { kind: "Sep41", issuer: STELLAR_ISSUER, assetCode: "USDC", to: STELLAR_TO },
  ],
  [
    "drops, of which 1000000 are 1 XRP",
    "XrpLedger",
    "rEiq1iAcpzP8WLjezP9MzAQEJ7jqKMLFSA",
    { kind: "Native", to: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59" },
  ],
  ["lamports, of which 1000000000 are 1 SOL", "Solana", SOLANA_FROM, { kind: "Native", to: SOLANA_TO }],
  [TOKEN, "Solana", SOLANA_FROM, { kind: "Spl", mint: SOLANA_MINT, to: SOLANA_TO }],
  ["sun, of which 1000000 are 1 TRX", "Tron", TRON_FROM, { kind: "Native", to: TRON_TO }],
  [TOKEN, "Tron", TRON_FROM, { kind: "Trc10", tokenId: "1002000", to: TRON_TO }],
  [TOKEN, "Tron", TRON_FROM, { kind: "Trc20", contract: TRON_TOKEN, to: TRON_TO }],
];

describe("K12 an error about an amount names its unit", () => {
  it.each(CASES)("%s on %s", (unit, name, from, body) => {
    for (const amount of ["1.5", "-1", "", "0", "1e9", "01", " 1", "9".repeat(100)]) {
      const judged = FAMILIES.familyOf(name).judgeTransfer(network(name), { ...body, amount }, from);
      const judgement = judged.ok ? "taken" : [judged.problem.code, judged.problem.message];
      expect([amount, judgement]).toEqual([amount, ["AmountInvalid", expect.stringContaining(unit)]]);
    }
  });

  it.each([
    ["Solana", "18446744073709551615"],
    ["Tron", "9223372036854775807"],
  ])("in its exact words, on %s", (name, largest) => {
    const [unit, , from, body] =
      CASES.find(([, each]) => each === name) ?? expect.fail("a network of the cases");
    for (const amount of ["0", "1.5", "-1", "1e9", "01", " 1"]) {
      const judged = FAMILIES.familyOf(name).judgeTransfer(network(name), { ...body, amount }, from);
      expect(!judged.ok && judged.problem.message).toBe(
        `The amount is not a positive integer of ${unit}, of at most ${largest}.`,
      );
    }
  });
});
