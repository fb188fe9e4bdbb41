import { ok, type Result } from "@conclave/custody";
import { equalBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { SentSearch, SentTransaction } from "../../chain.ts";
import type { SentBlocks } from "../../sent-blocks.ts";
import { attachAlgorandSignature } from "../attach.ts";
import type { AlgorandNetwork } from "../network.ts";
import { algorandAddress, algorandPublicKey } from "../rules/address.ts";
import { type AlgorandPayment, algorandId, encodeAlgorand } from "../transaction.ts";
import { chainNow } from "./look-around.ts";
import { fieldsOf } from "./msgpack-fields.ts";
import { type Algod, askForMsgpack } from "./rest.ts";
import type { RoundMemory } from "./round-memory.ts";
import { dateOfRound, idsOfRound } from "./rounds.ts";

const number = z.bigint().nonnegative().default(0n);
const bytes32 = z.instanceof(Uint8Array).refine((bytes) => bytes.length === 32);
const sentSchema = fieldsOf({
  sig: z.instanceof(Uint8Array),
  /** the account's authorising key, if the sender has rekeyed its account */
  sgnr: bytes32.optional(),
  /** whether the transaction named the chain's id too, which blocks leave out */
  hgi: z.boolean().default(false),
  txn: fieldsOf({
    snd: bytes32,
    fee: number,
    fv: number,
    lv: number,
    lx: bytes32.optional(),
    type: z.enum(["pay", "axfer"]),
    rcv: bytes32.optional(),
    amt: number,
    arcv: bytes32.optional(),
    aamt: number,
    xaid: number,
  }),
});
type Sent = z.output<typeof sentSchema>;
const blockSchema = fieldsOf({ block: fieldsOf({ txns: z.array(z.unknown()).default([]) }) });

/**
 * Looks for a transaction in all rounds since a time, because nodes do not list an account's transactions. Transactions
 * in a pool are not found.
 */
export const findSentAlgorand = async (
  parts: { readonly network: AlgorandNetwork; readonly algod: Algod; readonly memory: RoundMemory },
  blocks: SentBlocks,
  sender: string,
  search: SentSearch,
): Promise<Result<SentTransaction | undefined>> => {
  const { network, algod, memory } = parts;
  const now = await chainNow(algod);
  if (!now.ok) return now;
  if (now.value.genesisHash !== network.genesisHash) return nodeAway(algod.network, "it is of another chain");
  const { lastRound } = now.value;
  return blocks.find(
    {
      network: algod.network,
      sender,
      last: lastRound,
      settled: lastRound,
      timeMsOf: async (height) => {
        // no transaction lands in the genesis block
        if (height === 0n) return ok(0);
        const dated = await dateOfRound(algod, memory, height);
        if (!dated.ok) return dated;
        const { date } = dated.value;
        return date === undefined ? forgotten(algod, height) : ok(Date.parse(date));
      },
      sentIn: (height) => sentIn(network, algod, sender, height),
    },
    search,
  );
};

const forgotten = ({ network }: Algod, height: bigint): Result<never> =>
  nodeAway(network, `it has no block of round ${height}`);

const sentIn = async (
  network: AlgorandNetwork,
  algod: Algod,
  sender: string,
  height: bigint,
): Promise<Result<readonly SentTransaction[]>> => {
  if (height === 0n) return ok([]);
  const [block, ids] = await Promise.all([
    askForMsgpack(algod, `/v2/blocks/${height}?format=msgpack`, blockSchema),
    idsOfRound(algod, height),
  ]);
  if (!block.ok) return block;
  if (!ids.ok) return ids;
  if (block.value === undefined || ids.value === undefined) return forgotten(algod, height);
  const known = new Set(ids.value);
  const own = algorandPublicKey(sender);
  return ok(block.value.block.txns.flatMap((each) => rebuiltAlgorand(network, each, own, known)));
};

const paymentOf = ({ txn: { type, rcv, amt, arcv, aamt, xaid } }: Sent): AlgorandPayment | undefined => {
  const to = type === "pay" ? rcv : arcv;
  if (to === undefined) return undefined;
  const paid = { to: algorandAddress(to), amount: type === "pay" ? amt : aamt };
  return type === "pay" ? { type, ...paid } : { type, ...paid, assetId: xaid };
};

/**
 * Rebuilds a transaction that a block shows. @returns an empty list for one of another account, and for one with fields
 * that we never sign, because its id then differs
 */
const rebuiltAlgorand = (
  { genesisHash, genesisId }: AlgorandNetwork,
  shown: unknown,
  own: Uint8Array,
  ids: ReadonlySet<string>,
): readonly SentTransaction[] => {
  const read = sentSchema.safeParse(shown);
  if (!read.success || !equalBytes(read.data.txn.snd, own)) return [];
  const payment = paymentOf(read.data);
  if (payment === undefined) return [];
  const { sig, sgnr, hgi, txn } = read.data;
  const unsigned = encodeAlgorand({
    from: algorandAddress(txn.snd),
    fee: txn.fee,
    firstValid: txn.fv,
    lastValid: txn.lv,
    genesisId: hgi ? genesisId : undefined,
    genesisHash,
    lease: txn.lx,
    payment,
  });
  if (!ids.has(algorandId(unsigned))) return [];
  const attached = attachAlgorandSignature(
    unsigned,
    [{ scheme: "FROST-Ed25519", bytes: sig }],
    [sgnr ?? own],
  );
  return attached.ok ? [{ unsigned, ...attached.value }] : [];
};
