import {
  type Act,
  ECDSA_FORMAT,
  type FamilyContent,
  type FamilyRules,
  fail,
  moves,
  NATIVE_ASSET,
  ok,
  opaque,
  parseAmount,
  type Result,
  type TransactionReading,
} from "@conclave/custody";
import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { sha256 } from "viem/utils";
import { z } from "zod";
import type { BuiltTransaction, ChainFamily, TransactionIntent } from "../../chain.ts";
import { type ToyNetwork, toyNetworkSchema } from "./network.ts";
import { attachToy } from "./sign.ts";
import { decodeToy, digestOf, encodeToy, idOf, TOY_ADDRESS } from "./transaction.ts";

const FEE = "10";
/** Time from building to the deadline of a transaction. */
export const TOY_WINDOW_MS = 60_000;

const TOY_COIN = { symbol: "TOY", decimals: 8 } as const;

const toyTransferSchema = z.strictObject({
  kind: z.literal("Native"),
  to: z.string().regex(TOY_ADDRESS),
  amount: z.string().regex(/^[1-9][0-9]{0,77}$/),
});

const parseTransfer = (content: FamilyContent): Result<z.infer<typeof toyTransferSchema>> => {
  const parsed = toyTransferSchema.safeParse(content);
  const field = parsed.error?.issues[0]?.path.join(".") || "content";
  return parsed.success ? ok(parsed.data) : fail("TransactionMismatch", { field });
};

const unsupported = (): Result<never> => fail("TransactionKindNotSupported", { field: "kind" });

const RULES: FamilyRules = {
  name: "Cosmos",
  keyFormats: [ECDSA_FORMAT],
  namesChain: true,
  transferKinds: ["Native"],
  takesForConsent: () => false,
  judgeTransactionId: (text) => ok(text),
  encodesRecovery: false,
  judgeTransfer: (network, body) => {
    if (body.kind !== "Native")
      return fail("TransferKindNotSupported", { field: "kind", network, kinds: ["Native"] });
    if (!TOY_ADDRESS.test(body.to)) return fail("AddressInvalid", { field: "to" });
    const amount = parseAmount(body.amount, "toys");
    if (!amount.ok) return amount;
    const transfer = { kind: "Native", to: body.to, amount: amount.value };
    return ok({ transfer, asset: TOY_COIN, token: undefined });
  },
  judgeTransaction: unsupported,
  judgeContent: () => fail("SignatureKindNotSupported", { field: "kind", kinds: ["Hash"] }),
  nativeDecimals: TOY_COIN.decimals,
  nativeAsset: () => TOY_COIN,
  spell: (address) => address,
  showToken: () => {
    throw new TypeError("the toy chain has no tokens");
  },
  showMovement: () => undefined,
  examples: { network: "CosmosHub4", transfers: {}, transactions: {}, signatures: {} },
};

/** The toy chain's state for the builder. */
export interface ToySituation {
  /** the chain's own time, Unix milliseconds */
  readonly timeMs: number;
  readonly balance: bigint;
}

const build = (
  { network }: ToyNetwork,
  { timeMs, balance }: ToySituation,
  { act, sender, keys }: TransactionIntent,
): Result<BuiltTransaction> => {
  if (act.kind !== "transfer") return unsupported();
  const transfer = parseTransfer(act.transfer);
  if (!transfer.ok) return transfer;
  const { to, amount } = transfer.value;
  if (balance < BigInt(amount) + BigInt(FEE)) return fail("InsufficientFunds", { network });
  const [first = new Uint8Array(), second = new Uint8Array()] = keys;
  const deadlineMs = timeMs + TOY_WINDOW_MS;
  const decoded = decodeToy(
    encodeToy({
      network: toyNetworkSchema.shape.network.parse(network),
      from: sender,
      to,
      amount,
      fee: FEE,
      deadlineMs,
      keys: [bytesToHex(first), bytesToHex(second)],
    }),
  );
  return decoded.ok
    ? ok({ unsigned: encodeToy(decoded.value), sequence: undefined, details: { deadlineMs } })
    : decoded;
};

const describe = (unsigned: Uint8Array): Result<Omit<BuiltTransaction, "unsigned">> => {
  const decoded = decodeToy(unsigned);
  return decoded.ok
    ? ok({ sequence: undefined, details: { deadlineMs: decoded.value.deadlineMs } })
    : decoded;
};

const addressOf = (publicKey: Uint8Array): string => `toy1${sha256(publicKey, "hex").slice(2, 42)}`;

const mismatch = (field: string): Result<never> => fail("TransactionMismatch", { field });

const read = (entry: ToyNetwork, unsigned: Uint8Array, act: Act): Result<TransactionReading> => {
  const decoded = decodeToy(unsigned);
  if (!decoded.ok) return decoded;
  if (act.kind !== "transfer") return mismatch("kind");
  const transfer = parseTransfer(act.transfer);
  if (!transfer.ok) return transfer;
  const { network, to, amount, fee, from, keys, deadlineMs } = decoded.value;
  if (network !== entry.network || act.network !== entry.network) return mismatch("network");
  if (act.cosigners.join() !== entry.cosigner) return mismatch("cosigners");
  if (to !== transfer.value.to) return mismatch("to");
  if (amount !== transfer.value.amount) return mismatch("amount");
  if (from !== addressOf(hexToBytes(keys[0]))) return mismatch("from");
  if (BigInt(fee) > BigInt(entry.feeCap)) return fail("FeeAboveCap", { fee, feeCap: entry.feeCap });
  return ok({
    signables: [
      { scheme: "CGGMP24", bytes: digestOf(unsigned) },
      { scheme: "FROST-Ed25519", bytes: unsigned },
    ],
    exclusion: new TextEncoder().encode(idOf(unsigned)),
    deadlineMs,
    fee: BigInt(fee),
    effects: moves({ asset: NATIVE_ASSET, amount, recipient: to }),
  });
};

/**
 * A family for tests: a transaction has two signatures, and a window in which it may land. As on TRON, no transaction excludes
 * another, so a further one is signed only once the earlier ones are dead.
 */
export const TOY_FAMILY: ChainFamily<ToyNetwork, ToySituation> = {
  ...RULES,
  entrySchema: toyNetworkSchema,
  rebuilds: true,
  countsTransactions: false,
  chainOf: ({ network }) => network,
  cosignersOf: ({ cosigner }) => [cosigner],
  addressOf: (_network, publicKey) => addressOf(publicKey),
  build,
  describe,
  read,
  givenBytes: () => undefined,
  readContent: () => fail("SignatureKindNotSupported", { field: "kind", kinds: ["Hash"] }),
  excludes: () => false,
  effectsOf: (_entry, content) => {
    const transfer = parseTransfer(content);
    if (!transfer.ok) return opaque("the request cannot be read");
    return moves({ asset: NATIVE_ASSET, amount: transfer.value.amount, recipient: transfer.value.to });
  },
  attach: attachToy,
  replacements: {
    speedUp: unsupported,
    cancel: unsupported,
    takePlace: unsupported,
    fixedSequence: () => ok(undefined),
    judgeSequence: () => ok(undefined),
    judge: unsupported,
  },
};
