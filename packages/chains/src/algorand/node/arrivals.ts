import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import { dateBySeconds } from "../../block-date.ts";
import type { Arrival } from "../../chain.ts";
import { flatMapInTurns, readInTurns } from "../../turns/node/in-turns.ts";
import { arrivalEnds, concerning, type OursAtEnds } from "../../turns/node/ours-among.ts";
import { algorandAddress } from "../rules/address.ts";
import { fieldsOf } from "./msgpack-fields.ts";
import { type Algod, askForMsgpack } from "./rest.ts";
import { idsOfRound } from "./rounds.ts";

const ADDRESS_BYTES = 32;

const amount = z.bigint().nonnegative().optional();
const account = z
  .instanceof(Uint8Array)
  .refine((bytes) => bytes.length === ADDRESS_BYTES)
  .optional();
/**
 * The fields that are read from a transaction in a block, by their names in the protocol's encoding, which leaves out
 * empty fields.
 */
const includedSchema = fieldsOf({
  txn: fieldsOf({
    snd: account,
    rcv: account,
    amt: amount,
    close: account,
    xaid: amount,
    arcv: account,
    aamt: amount,
    asnd: account,
    aclose: account,
  }),
  /** the amounts that closing an account, or an asset holding, moved */
  ca: amount,
  aca: amount,
});
type Included = z.output<typeof includedSchema>;
const blockSchema = fieldsOf({
  block: fieldsOf({ ts: amount, txns: z.array(z.unknown()).default([]) }),
});

interface Moved {
  readonly place: string;
  readonly to: Uint8Array | undefined;
  readonly amount: bigint | undefined;
  readonly assetId: bigint | undefined;
}

/** The movements of a transaction: its amount, and the remainder if it closed the sender's account or holding. */
const movedBy = ({ txn, ca, aca }: Included): readonly Moved[] => [
  { place: "amount", to: txn.rcv, amount: txn.amt, assetId: undefined },
  { place: "rest", to: txn.close, amount: ca, assetId: undefined },
  { place: "asset", to: txn.arcv, amount: txn.aamt, assetId: txn.xaid },
  { place: "rest of the asset", to: txn.aclose, amount: aca, assetId: txn.xaid },
];

const arrivalsBy = (txHash: string, included: Included): readonly Arrival[] =>
  movedBy(included).flatMap(({ place, to, amount = 0n, assetId }): readonly Arrival[] => {
    // a zero amount is an opt-in, or sent only to put an address into a wallet's history
    if (to === undefined || amount === 0n) return [];
    const sender = included.txn.asnd ?? included.txn.snd;
    const from = sender && algorandAddress(sender);
    const value = { to: algorandAddress(to), amount: amount.toString() };
    const moved =
      assetId === undefined
        ? ({ kind: "Native", ...value } as const)
        : ({ kind: "Asa", assetId: assetId.toString(), ...value } as const);
    return [{ txHash, place, from, moved }];
  });

/**
 * The arrivals of a round that concern us. Payments by applications (inner transactions) are not detected.
 *
 * @returns undefined if the node does not have the round yet, or has forgotten it
 */
export const algorandArrivals = async (
  algod: Algod,
  height: bigint,
  ours: OursAtEnds,
): Promise<Result<readonly Arrival[] | undefined>> => {
  const path = `/v2/blocks/${height}?format=msgpack`;
  const [ids, found] = await Promise.all([
    idsOfRound(algod, height),
    // msgpack, because the same block may be several times as long in JSON
    askForMsgpack(algod, path, blockSchema),
  ]);
  if (!ids.ok) return ids;
  if (!found.ok) return found;
  if (ids.value === undefined || found.value === undefined) return ok(undefined);
  const { ts, txns } = found.value.block;
  if (txns.length !== ids.value.length) {
    return nodeAway(algod.network, `its ids of round ${height} are not those of its block`);
  }
  const names = ids.value;
  const included = await readInTurns(txns, (each) => includedSchema.safeParse(each).data);
  if (included === undefined) {
    return nodeAway(algod.network, `its answer to ${path} cannot be read`);
  }
  const seen = await flatMapInTurns(included.entries(), ([at, each]) => arrivalsBy(names[at] ?? "", each));
  const arrivals = seen.filter(await concerning(ours, seen, arrivalEnds));
  return ok(arrivals.map((arrival) => ({ ...arrival, ...dateBySeconds(ts) })));
};
