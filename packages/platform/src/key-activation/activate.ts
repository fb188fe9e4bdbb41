import { type CreatingKey, type KeyEvent, type KeyId, type Network, problem } from "@conclave/custody";
import type { Roster } from "../config/index.ts";
import { doneSubject } from "../nats/index.ts";
import {
  type Connection,
  changeKey,
  type Database,
  deleteAttestedKey,
  deleteKeyImport,
  listWalletsOfKey,
  lockKey,
  lockOrganisation,
  readKeyByPublicKey,
  type ToldKey,
  takeAttestedKey,
} from "../postgres/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { notAttestedBy } from "./attested.ts";

/** What the activation of keys works with. */
export interface Activation {
  /** of the gateway: nobody else activates keys */
  readonly database: Database;
  /** whose words count */
  readonly roster: Pick<Roster, "signers">;
  /** undefined on a pseudo network */
  readonly addressOn: (network: Network, publicKey: string) => string | undefined;
  /** tells whoever waits for a key to read its row */
  readonly signal: (subject: string) => void;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * Has a key come to be that an orchestrator told of, with its wallets and events (INV-6), if all signers of the roster
 * signed that it is theirs. Otherwise it fails, with the names of those that did not. Told of again, nothing changes.
 *
 * @returns false when another process is at it, or was
 */
export const activateTold = async (activation: Activation, keyId: KeyId): Promise<boolean> => {
  const { database, logger, signal } = activation;
  const outcome = await database.transaction(async (connection) => {
    const told = await takeAttestedKey(connection, keyId);
    if (told === undefined) return undefined;
    const key = await lockKey(connection, keyId);
    await deleteAttestedKey(connection, keyId);
    if (key?.status !== "Creating") return { event: undefined };
    const event = await judge(activation, connection, key, told);
    await changeKey(connection, keyId, event);
    await deleteKeyImport(connection, keyId);
    return { event };
  });
  if (outcome === undefined) return false;
  const { event } = outcome;
  if (event?.kind === "Activated") logger.info({ keyId }, "key created");
  if (event?.kind === "GenerationFailed") {
    logger.error({ keyId, problem: event.problem }, "a key that signers made is not activated");
  }
  signal(doneSubject(keyId));
  return true;
};

const judge = async (
  { roster, addressOn, now }: Activation,
  connection: Connection,
  key: CreatingKey,
  { publicKey, signatures }: ToldKey,
): Promise<Extract<KeyEvent, { readonly kind: "Activated" | "GenerationFailed" }>> => {
  const signers = notAttestedBy(roster, { keyId: key.id, scheme: key.scheme, publicKey }, signatures);
  if (signers.length > 0) {
    const code = key.origin === "imported" ? "KeyImportFailed" : "KeyGenerationFailed";
    const reason = "signers do not say that they hold this key";
    return { kind: "GenerationFailed", problem: problem(code, { reason, signers }) };
  }
  const duplicate = key.origin === "imported" ? await duplicateOf(connection, key, publicKey) : undefined;
  if (duplicate !== undefined) {
    const reason = problem("KeyImportDuplicate", { duplicate: { id: duplicate } });
    return { kind: "GenerationFailed", problem: reason };
  }
  const addresses = new Map<Network, string>();
  for (const { network } of await listWalletsOfKey(connection, key.id)) {
    const address = addressOn(network, publicKey);
    if (address !== undefined) addresses.set(network, address);
  }
  return { kind: "Activated", publicKey, addresses, date: now().toISOString() };
};

/**
 * A key that a client brings a second time fails: two keys of one address would give out the same account nonces. As a
 * rule it is found out before the signers activate it; of two imports at once, the second is found out here.
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
