import {
  type ChainRequestId,
  type KeyId,
  problem,
  type SignatureId,
  type SignedAuthorisation,
} from "@conclave/custody";
import {
  type Connection,
  changeChainRequest,
  changeKey,
  changeSignature,
  type Database,
  type DueAuthorisation,
  deleteKeyImport,
  type Logger,
  lockChainRequest,
  lockKey,
  lockSignature,
} from "@conclave/platform";
import { authorisedNames, unrenewableEnded, unrenewableNotEnded } from "./log-events.ts";

const REASON = "the authority of this gateway did not sign it: ask for it again";

/** The dependencies of ending requests that cannot be renewed. */
interface Ending {
  readonly database: Database;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * Fails requests whose authorisations this authority cannot renew and signers no longer accept, so that they do not
 * wait for ever (INV-5). A request that was signed meanwhile, or authorised by another gateway, stays unchanged. A
 * request that cannot be ended does not block others.
 */
export const endUnrenewable = async (
  { database, now, logger }: Ending,
  due: DueAuthorisation,
): Promise<void> => {
  try {
    const date = now().toISOString();
    const isEnded = await database.transaction((connection) => end(connection, due, date));
    if (isEnded) unrenewableEnded(logger, authorisedNames(due));
  } catch (err) {
    unrenewableNotEnded(logger, { ...authorisedNames(due), err });
  }
};

const end = (connection: Connection, due: DueAuthorisation, date: string): Promise<boolean> => {
  switch (due.table) {
    case "chain_requests":
      return endChainRequest(connection, due.id, due.authorisation, date);
    case "signatures":
      return endSignature(connection, due.id, due.authorisation, date);
    case "keys":
      return endKey(connection, due.id, due.authorisation);
  }
};

const isSame = (found: SignedAuthorisation | undefined, due: SignedAuthorisation): boolean =>
  found !== undefined &&
  Buffer.compare(found.payload, due.payload) === 0 &&
  Buffer.compare(found.signature, due.signature) === 0;

const endChainRequest = async (
  connection: Connection,
  id: ChainRequestId,
  due: SignedAuthorisation,
  date: string,
): Promise<boolean> => {
  const request = await lockChainRequest(connection, id);
  if (request === undefined || request.signedTransaction !== undefined) return false;
  if (!isSame(request.authorisation, due)) return false;
  return (await changeChainRequest(connection, request, { kind: "Failed", date, reason: REASON })).ok;
};

const endSignature = async (
  connection: Connection,
  id: SignatureId,
  due: SignedAuthorisation,
  date: string,
): Promise<boolean> => {
  const signature = await lockSignature(connection, id);
  if (!isSame(signature?.authorisation, due)) return false;
  return (await changeSignature(connection, id, { kind: "Failed", date, reason: REASON })).ok;
};

const endKey = async (connection: Connection, id: KeyId, due: SignedAuthorisation): Promise<boolean> => {
  const key = await lockKey(connection, id);
  if (key === undefined || !isSame(key.authorisation, due)) return false;
  const code = key.origin === "imported" ? "KeyImportFailed" : "KeyGenerationFailed";
  const failed = problem(code, { reason: REASON });
  const changed = await changeKey(connection, id, { kind: "GenerationFailed", problem: failed });
  if (!changed.ok) return false;
  await deleteKeyImport(connection, id);
  return true;
};
