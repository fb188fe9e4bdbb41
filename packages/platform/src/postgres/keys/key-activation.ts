import type { ClaimedKey, CreatingKey, KeyCreated, KeyId, World } from "@conclave/custody";
import { attend } from "../attend.ts";
import type { Connection, Database } from "../database.ts";
import type { Subscription } from "../listener.ts";
import { lockOrganisation } from "../people/organisations.ts";
import {
  ATTESTED_KEYS_CHANNEL,
  deleteAttestedKey,
  type KeyClaim,
  readAttestedKeys,
  takeAttestedKey,
} from "./attested-keys.ts";
import { insertKeyAttestations } from "./key-attestations.ts";
import { changeKey } from "./key-change.ts";
import { deleteKeyImport } from "./key-imports.ts";
import { lockKey, readKeyByPublicKey } from "./keys.ts";
import { listWalletsOfKey } from "./wallets.ts";

const BATCH = 64;

/** The function that judges claimed keys, and the callbacks for the outcome. */
export interface KeyActivation {
  readonly world: World;
  /** with the gateway's rights: orchestrators may not activate keys */
  readonly database: Database;
  readonly judge: (claimed: ClaimedKey) => KeyCreated;
  /** Called once the decision has committed; the event is undefined when the key was settled before. */
  readonly settled: (keyId: KeyId, event: KeyCreated | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Settles claimed keys as their claims arrive, until stopped. If several processes do so, only one gets each key. */
export const attendAttestedKeys = (activation: KeyActivation): Subscription =>
  attend({
    world: activation.world,
    hear: (ring) => activation.database.listen(ATTESTED_KEYS_CHANNEL, ring),
    round: () => settleAll(activation),
    onFailure: activation.onFailure,
  });

/** @throws the first failure, after the other keys have been settled */
const settleAll = async (activation: KeyActivation): Promise<number> => {
  const failures: unknown[] = [];
  let settled = 0;
  for (const keyId of await readAttestedKeys(activation.database, BATCH)) {
    try {
      if (await settleAttestedKey(activation, keyId)) settled += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return settled;
};

/**
 * Takes the claim about a key, has it judged, and stores the outcome with the key's wallets and events in one transaction
 * (INV-6). A key that is settled already does not change.
 *
 * @returns false if there is no claim about the key, or another process has it
 */
export const settleAttestedKey = async (
  { database, judge, settled }: Omit<KeyActivation, "onFailure" | "world">,
  keyId: KeyId,
): Promise<boolean> => {
  const outcome = await database.transaction(async (connection) => {
    const claim = await takeAttestedKey(connection, keyId);
    if (claim === undefined) return undefined;
    const key = await lockKey(connection, keyId);
    await deleteAttestedKey(connection, keyId);
    if (key?.status !== "Creating") return { event: undefined };
    const event = judge(await claimOf(connection, key, claim));
    await changeKey(connection, keyId, event);
    if (event.kind === "Activated") await insertKeyAttestations(connection, keyId, claim.attestations);
    await deleteKeyImport(connection, keyId);
    return { event };
  });
  if (outcome === undefined) return false;
  settled(keyId, outcome.event);
  return true;
};

const claimOf = async (
  connection: Connection,
  key: CreatingKey,
  { publicKey, internalKey, attestations }: KeyClaim,
): Promise<ClaimedKey> => {
  const duplicate = key.origin === "imported" ? await duplicateOf(connection, key, publicKey) : undefined;
  const wallets = await listWalletsOfKey(connection, key.id);
  const networks = wallets.map(({ network }) => network);
  return { key, publicKey, internalKey, attestations, networks, duplicate };
};

/**
 * A duplicate is usually found before the signers activate an imported key. Of two simultaneous imports, the second is
 * found here: the organisation's lock makes it wait for the first.
 */
const duplicateOf = async (
  connection: Connection,
  { id, orgId }: CreatingKey,
  publicKey: string,
): Promise<KeyId | undefined> => {
  await lockOrganisation(connection, orgId);
  const duplicate = await readKeyByPublicKey(connection, orgId, publicKey);
  return duplicate?.id === id ? undefined : duplicate?.id;
};
