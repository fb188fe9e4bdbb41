import { fail, ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import { decodeWire, encodeWire } from "../wire.ts";
import { readRefusal } from "./refusals.ts";
import type { Algod, Said } from "./rest.ts";

const simulatedSchema = z.object({
  "txn-groups": z.tuple([z.object({ "failure-message": z.string().optional() })]),
});

/** Most characters of a node's message. */
const REASON_MAX = 500;
/**
 * HTTP statuses by which a node, or a proxy before it, says that it does not offer simulation. Then only the chain
 * checks it.
 */
const NOT_OFFERED: readonly number[] = [403, 405, 501];

const requestFor = (unsigned: Uint8Array): Uint8Array => {
  const decoded = decodeWire(unsigned);
  if (!decoded.ok) throw new TypeError(`a transaction was not read before: ${decoded.why}`);
  return encodeWire({ "allow-empty-signatures": true, "txn-groups": [{ txns: [{ txn: decoded.wire }] }] });
};

/**
 * Lets the node simulate a transaction on its ledger, before anything is signed (algod, POST
 * /v2/transactions/simulate). If the node does not offer it, the earlier checks must suffice.
 *
 * @param unsigned exactly the bytes that will be signed
 * @returns ExecutionReverted with the node's message if the chain would refuse it; ServiceUnavailable if the node is
 * away, or an earlier transaction of the request may have landed: the simulation then proves nothing (INV-4)
 */
export const trySimulation = async (algod: Algod, unsigned: Uint8Array): Promise<Result<void>> => {
  const said = await algod.post("/v2/transactions/simulate?format=json", requestFor(unsigned));
  switch (said.kind) {
    case "absent":
      return ok(undefined);
    case "away":
      return isNotOffered(said) ? ok(undefined) : nodeAway(algod.network, said.cause);
    case "refused":
      // a node of another version may not know the request, so only known messages count
      return readRefusal(said.words).kind === "for-good" ? refused(said.words) : ok(undefined);
    case "answer":
      return judged(algod, said.body);
  }
};

const isNotOffered = ({ status }: Extract<Said, { readonly kind: "away" }>): boolean =>
  status !== undefined && NOT_OFFERED.includes(status);

const judged = (algod: Algod, body: unknown): Result<void> => {
  const simulated = simulatedSchema.safeParse(body);
  if (!simulated.success) return nodeAway(algod.network, "its simulation cannot be read");
  const [{ "failure-message": failure }] = simulated.data["txn-groups"];
  if (failure === undefined) return ok(undefined);
  const refusal = readRefusal(failure);
  switch (refusal.kind) {
    case "in-ledger":
    case "lease-held":
      return nodeAway(
        algod.network,
        "it says that a transaction of the wallet holds the lease: until its last round no other lands",
      );
    case "over":
      return ok(undefined);
    case "for-good":
    case "for-now":
      return isToCome(failure) ? ok(undefined) : refused(failure);
  }
};

/** For a caller's own bytes whose first valid round is to come: the ledger's state at that time is unknown. */
const isToCome = (failure: string): boolean => /txn dead: round/.test(failure);

const refused = (words: string): Result<never> =>
  fail(
    "ExecutionReverted",
    {},
    `the chain refuses the transaction, tried as it would be signed: ${words.slice(0, REASON_MAX)}`,
  );
