import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import {
  encodeCanonical,
  isMsgpackMap,
  type MsgpackMap,
  type MsgpackValue,
  readMsgpack,
} from "../msgpack.ts";
import { evaluateGroup } from "../rules/evaluate.ts";
import { type AlgodState, contextOfNextBlock, latestBlock } from "../state.ts";
import { decodeGroup } from "../transaction/decode.ts";
import { checkGroup } from "../transaction/group.ts";
import { checkSignature } from "../transaction/signature.ts";
import type { AlgodSubmission } from "../transaction/transaction.ts";
import { checkWellFormed } from "../transaction/well-formed.ts";

/** ResultLatestVersion (go-algorand, ledger/simulation/trace.go). */
const VERSION = 2n;
const REQUEST_KEYS = new Set(["txn-groups", "allow-empty-signatures"]);

interface SimulationRequest {
  readonly group: readonly AlgodSubmission[];
  readonly allowsEmptySignatures: boolean;
}

const listIn = (map: MsgpackMap, key: string): readonly MsgpackValue[] => {
  const value = map.get(key);
  return Array.isArray(value) ? value : [];
};

/**
 * Reads a request. A field that this ledger does not simulate is refused by name, so that no caller takes a partial
 * answer for a full one.
 */
const readRequest = (body: Uint8Array): Ruling<SimulationRequest> => {
  const decoded = readMsgpack(body);
  if (!decoded.ok) return decoded;
  const { value } = decoded;
  if (!isMsgpackMap(value)) return refusedWith("msgpack decode error [pos 0]: a request is a map");
  const foreign = [...value.keys()].find((key) => !REQUEST_KEYS.has(key));
  if (foreign !== undefined) return refusedWith(`this simulated ledger does not simulate with ${foreign}`);
  const [group, ...more] = listIn(value, "txn-groups");
  if (more.length > 0) return refusedWith(`expected 1 transaction group, got ${more.length + 1}`);
  const signed = group !== undefined && isMsgpackMap(group) ? listIn(group, "txns") : [];
  const read = decodeGroup(new Uint8Array(Buffer.concat(signed.map(encodeCanonical))));
  if (!read.ok) return read;
  return granted({
    group: read.value,
    allowsEmptySignatures: value.get("allow-empty-signatures") === true,
  });
};

const checkRequest = ({ group, allowsEmptySignatures }: SimulationRequest): Ruling<undefined> => {
  const unsigned = ({ signature, otherSignature }: AlgodSubmission): boolean =>
    signature === undefined && otherSignature === undefined;
  const signed = group.filter((each) => !allowsEmptySignatures || !unsigned(each));
  const checks = [
    ...group.map((each) => () => checkWellFormed(each)),
    () => checkGroup(group),
    ...signed.map((each) => () => checkSignature(each)),
  ];
  for (const check of checks) {
    const checked = check();
    if (!checked.ok) return checked;
  }
  return granted(undefined);
};

/**
 * POST /v2/transactions/simulate: the outcome of a group in the next block, without the waiting transactions. Nothing
 * changes.
 * @param body a SimulateRequest in MessagePack
 * @returns a SimulateResponse; a refusal in algod's words if the body is no such request, or the group is malformed
 * @source go-algorand, daemon/algod/api/server/v2/handlers.go: SimulateTransaction, and ledger/simulation/simulator.go
 */
export const simulateGroup = (state: AlgodState, body: Uint8Array): Ruling<MsgpackMap> => {
  const request = readRequest(body);
  if (!request.ok) return request;
  const { group, allowsEmptySignatures } = request.value;
  const checked = checkRequest(request.value);
  if (!checked.ok) return checked;
  const evaluated = evaluateGroup(state.books, group, contextOfNextBlock(state));
  const results = group.map(
    ({ signedFields }) =>
      new Map([
        [
          "txn-result",
          new Map<string, MsgpackValue>([
            ["pool-error", ""],
            ["txn", signedFields],
          ]),
        ],
      ]),
  );
  const failure: readonly (readonly [string, MsgpackValue])[] = evaluated.ok
    ? []
    : [
        ["failure-message", evaluated.message],
        ["failed-at", [0n]],
      ];
  return granted(
    new Map<string, MsgpackValue>([
      ["version", VERSION],
      ["last-round", latestBlock(state).round],
      ["txn-groups", [new Map<string, MsgpackValue>([["txn-results", results], ...failure])]],
      ...(allowsEmptySignatures
        ? [["eval-overrides", new Map([["allow-empty-signatures", true]])] as const]
        : []),
    ]),
  );
};
