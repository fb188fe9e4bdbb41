import {
  keyIdSchema,
  problem,
  type SignedAuthorisation,
  signatureIdSchema,
  transactionIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import {
  type AuthorisedTable,
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
import { z } from "zod";

const REASON = "the authority of this gateway did not sign it: ask for it again";

const requestIdSchema = z.union([transferIdSchema, transactionIdSchema]);

/** What it takes to end what nobody can sign anew. */
interface Ending {
  readonly database: Database;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * Fails what this authority cannot sign anew and no signer acts on any more, so that it does not wait for ever (INV-5). What
 * was signed meanwhile, or authorised anew by a gateway that can, stays as it is. One that cannot be ended keeps no others
 * waiting.
 */
export const endUnrenewable = async (
  { database, now, logger }: Ending,
  table: AuthorisedTable,
  due: DueAuthorisation,
): Promise<void> => {
  try {
    const date = now().toISOString();
    const isEnded = await database.transaction((connection) => END[table](connection, due, date));
    if (isEnded) logger.warn({ id: due.id, table }, "failed: this authority did not sign what is wanted");
  } catch (error) {
    logger.warn({ id: due.id, table, err: error }, "this authority did not sign what is wanted");
  }
};

type End = (connection: Connection, due: DueAuthorisation, date: string) => Promise<boolean>;

const isSame = (found: SignedAuthorisation | undefined, { authorisation }: DueAuthorisation): boolean =>
  found !== undefined &&
  Buffer.compare(found.payload, authorisation.payload) === 0 &&
  Buffer.compare(found.signature, authorisation.signature) === 0;

const endChainRequest: End = async (connection, due, date) => {
  const request = await lockChainRequest(connection, requestIdSchema.parse(due.id));
  if (request === undefined || request.signedTransaction !== undefined) return false;
  if (!isSame(request.authorisation, due)) return false;
  return (await changeChainRequest(connection, request, { kind: "Failed", date, reason: REASON })).ok;
};

const endSignature: End = async (connection, due, date) => {
  const id = signatureIdSchema.parse(due.id);
  const signature = await lockSignature(connection, id);
  if (!isSame(signature?.authorisation, due)) return false;
  return (await changeSignature(connection, id, { kind: "Failed", date, reason: REASON })).ok;
};

const endKey: End = async (connection, due) => {
  const id = keyIdSchema.parse(due.id);
  const key = await lockKey(connection, id);
  if (key === undefined || !isSame(key.authorisation, due)) return false;
  const code = key.origin === "imported" ? "KeyImportFailed" : "KeyGenerationFailed";
  const failed = problem(code, { reason: REASON });
  const changed = await changeKey(connection, id, { kind: "GenerationFailed", problem: failed });
  if (!changed.ok) return false;
  await deleteKeyImport(connection, id);
  return true;
};

const END: Readonly<Record<AuthorisedTable, End>> = {
  chain_requests: endChainRequest,
  signatures: endSignature,
  keys: endKey,
};
