import {
  type ActiveKey,
  type AuthorisedExport,
  allowedBy,
  asWritten,
  type ExportKeyBody,
  fail,
  formatOf,
  type KeyExportId,
  type KeyId,
  type KeyScheme,
  keyExportIdSchema,
  type OrganisationId,
  ok,
  opaque,
  type Policy,
  type PolicyDecision,
  policiesAgainstExport,
  problem,
  type Result,
} from "@conclave/custody";
import {
  type Connection,
  dueKeyExport,
  enqueue,
  forgetSealedShares,
  holdKey,
  holdRights,
  insertKeyExport,
  isKeyExportActivated,
  listWalletsOfKey,
  readKeyExport,
  readPoliciesInForce,
  type SealedShares,
  settleKeyExport,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { visibleKey } from "../key/visible-key.ts";
import { requesterOf } from "../people/requester.ts";
import type { Viewer } from "../people/viewer.ts";
import { hearSettlement } from "../settlement.ts";
import { type ExportTerms, isPointOfKey, readExport } from "./export-request.ts";

/** An exported key (wire interface, section C.8). Only the client that made the encryption key can combine the shares. */
export interface ExportedKey {
  /** the public key of t of the shares, hex: a compressed point, or the 32 bytes of Ed25519 */
  readonly publicKey: string;
  readonly protocol: string;
  readonly curve: string;
  readonly minSigners: number;
  readonly encryptedKeyShares: SealedShares;
}

/**
 * Has the signers seal their shares of a key for a client, and waits for them. If the wait ends, the export is not done
 * later.
 * @returns ExportNotActivated unless the operator activated exports for the organisation; KeyNotFound; KeyNotCustodial;
 * InvalidBody; KeyExportRefused; PolicyBlocked while a policy guards one of the key's wallets; the signers' refusals,
 * such as KeyExportDisabled; or KeyExportFailed when they do not answer in time
 */
export const exportKey = async (
  dependencies: Dependencies,
  caller: Viewer,
  keyId: KeyId,
  body: ExportKeyBody,
): Promise<Result<ExportedKey>> => {
  const { database, bus, settlementWaitMs, stopping, world } = dependencies;
  const { orgId } = caller;
  if (!(await isKeyExportActivated(database, orgId))) return fail("ExportNotActivated", { orgId });
  const key = await visibleKey(database, caller, keyId);
  if (!key.ok) return key;
  if (key.value.delegatedTo !== undefined) return fail("KeyNotCustodial", { keyId });
  const terms = readExport(signingScheme(key.value.scheme), body);
  if (!terms.ok) return terms;
  const id = world.freshId(keyExportIdSchema, "kex");
  const settlement = hearSettlement({ bus, stopping, world }, id);
  try {
    const asked = await ask(dependencies, caller, key.value, id, terms.value);
    if (!asked.ok) return asked;
    await settlement.until(
      settlementWaitMs,
      () => readKeyExport(database, id),
      (row) => row?.status !== "Pending",
    );
    return outcomeOf(dependencies, key.value, id, terms.value);
  } finally {
    settlement.stop();
  }
};

/** The scheme's name in the signers' library. */
const signingScheme = (scheme: KeyScheme) => (scheme === "ECDSA" ? "CGGMP24" : scheme);

/** Commits the export, its authorisation and its due row together, unless a policy blocks it. */
const ask = (
  { database, authority, now }: Dependencies,
  caller: Viewer,
  { id: keyId, orgId }: ActiveKey,
  id: KeyExportId,
  terms: ExportTerms,
): Promise<Result<void>> =>
  database.transaction(async (connection) => {
    // policies, tags and wallets that decide about the key stay unchanged until the export is stored
    await holdRights(connection, orgId);
    await holdKey(connection, keyId);
    const date = now().toISOString();
    const policy = await judgeExport(connection, orgId, keyId, date);
    if (!policy.ok) return policy;
    const authorised: AuthorisedExport = {
      version: 1,
      kind: "key-export",
      requestId: id,
      orgId,
      keyId,
      ...terms,
      policy: policy.value,
      dateRequested: date,
    };
    const authorisation = authority(authorised);
    const requester = requesterOf(caller);
    await insertKeyExport(connection, { id, orgId, keyId, requester, authorisation, dateRequested: date });
    await enqueue(connection, dueKeyExport(id, orgId));
    return ok(undefined);
  });

/**
 * Judges the export by policies. It never asks for an approval: the caller waits, and the approval would cover every
 * later signature of the key.
 */
const judgeExport = async (
  connection: Connection,
  orgId: OrganisationId,
  keyId: KeyId,
  date: string,
): Promise<Result<PolicyDecision>> => {
  const policies = await readPoliciesInForce(connection, orgId, "Wallets:Sign");
  const wallets = await listWalletsOfKey(connection, keyId);
  const effects = opaque("who has the key signs anything with it");
  const against = policiesAgainstExport(policies, {
    kind: "Wallets:Sign",
    keyId,
    wallets,
    effects,
    spell: asWritten,
  });
  const ids = (found: readonly Policy[]) => found.map(({ id }) => id);
  if (against.length === 0) return ok(allowedBy(ids(policies), date));
  const reason = "a key that left would be under no policy, and these guard it";
  return fail("PolicyBlocked", { reason, policyIds: ids(against) });
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
  const { shares: encryptedKeyShares, publicKey = key.internalKey ?? key.publicKey } = asked;
  if (!isPointOfKey(signingScheme(key.scheme), publicKey, key.publicKey)) {
    return fail("KeyExportFailed", { keyId: key.id }, "The signers sealed shares of another key.");
  }
  return ok({ publicKey, protocol, curve, minSigners: threshold, encryptedKeyShares });
};
