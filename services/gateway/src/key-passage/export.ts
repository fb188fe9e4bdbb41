import {
  type ActiveKey,
  type AuthorisedExport,
  allowWithoutPolicies,
  type ExportKeyBody,
  formatOf,
  type KeyExportId,
  type KeyId,
  type KeyScheme,
  keyExportIdSchema,
  ok,
  problem,
  type Result,
} from "@conclave/custody";
import {
  appendToOutbox,
  type ExportTerms,
  forgetSealedShares,
  freshId,
  insertKeyExport,
  keyExportRequest,
  readExport,
  readKeyExport,
  type SealedShares,
  settleKeyExport,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { requesterOf } from "../requester.ts";
import { hearSettlement } from "../settlement.ts";
import type { Viewer } from "../viewer.ts";
import { usableKey } from "../visible-key.ts";

/** A key as its client takes it (wire interface, section C.8): only who made the encryption key can put it together. */
export interface ExportedKey {
  /** hex */
  readonly publicKey: string;
  readonly protocol: string;
  readonly curve: string;
  readonly minSigners: number;
  readonly encryptedKeyShares: SealedShares;
}

/**
 * Has the signers seal their shares of a key for a client, and waits for them. One that nobody waits for any longer is not
 * done later.
 * @returns KeyNotFound, KeyDelegated, InvalidBody, KeyExportRefused; what signers refuse, KeyExportDisabled foremost; or
 *   KeyExportFailed when they do not answer in time
 */
export const exportKey = async (
  dependencies: Dependencies,
  caller: Viewer,
  keyId: KeyId,
  body: ExportKeyBody,
): Promise<Result<ExportedKey>> => {
  const { database, bus, settlementWaitMs, stopping } = dependencies;
  const key = await usableKey(database, caller, keyId);
  if (!key.ok) return key;
  const terms = readExport(signingScheme(key.value.scheme), body);
  if (!terms.ok) return terms;
  const id = freshId(keyExportIdSchema, "kex");
  const settlement = await hearSettlement(bus, id);
  try {
    await ask(dependencies, caller, key.value, id, terms.value);
    await settlement.wait(settlementWaitMs, stopping);
    return outcomeOf(dependencies, key.value, id, terms.value);
  } finally {
    settlement.stop();
  }
};

/** What the signers' library calls it. */
const signingScheme = (scheme: KeyScheme) => (scheme === "ECDSA" ? "CGGMP24" : scheme);

const ask = async (
  { database, authority, now }: Dependencies,
  caller: Viewer,
  { id: keyId, orgId }: ActiveKey,
  id: KeyExportId,
  terms: ExportTerms,
): Promise<void> => {
  const date = now().toISOString();
  const authorised: AuthorisedExport = {
    version: 1,
    kind: "key-export",
    requestId: id,
    orgId,
    keyId,
    ...terms,
    policy: allowWithoutPolicies(date),
    dateRequested: date,
  };
  const authorisation = authority(authorised);
  const asked = { id, orgId, keyId, requester: requesterOf(caller), authorisation, dateRequested: date };
  await database.transaction(async (connection) => {
    await insertKeyExport(connection, asked);
    await appendToOutbox(connection, keyExportRequest(id));
  });
};

const outcomeOf = async (
  { database, threshold }: Dependencies,
  key: ActiveKey,
  id: KeyExportId,
  { protocol }: ExportTerms,
): Promise<Result<ExportedKey>> => {
  const late = problem("KeyExportFailed", { keyId: key.id });
  await settleKeyExport(database, id, { kind: "Failed", problem: late });
  const asked = await readKeyExport(database, id);
  if (asked?.shares === undefined) return { ok: false, problem: asked?.problem ?? late };
  await forgetSealedShares(database, id);
  const { curve } = formatOf(key.scheme);
  const encryptedKeyShares = asked.shares;
  return ok({ publicKey: key.publicKey, protocol, curve, minSigners: threshold, encryptedKeyShares });
};
