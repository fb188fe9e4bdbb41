import type { KeyAttestation, KeyId } from "@conclave/custody";
import { z } from "zod";
import { bytes } from "../columns.ts";
import type { Connection } from "../database.ts";

/** The columns that hold what each signer of the roster attested, by index: three lists of one length. */
export const ATTESTATION_COLUMNS = "signatures, statements, statement_signatures";

export const attestationColumns = {
  signatures: z.array(bytes),
  statements: z.array(bytes),
  statement_signatures: z.array(bytes),
};
const rowSchema = z.object(attestationColumns);

/** What the columns hold: where a statement is empty, its signer states nothing. */
export const attestationsIn = ({
  signatures,
  statements,
  statement_signatures,
}: z.output<typeof rowSchema>): readonly KeyAttestation[] =>
  signatures.map((signature, at): KeyAttestation => {
    const [statement, by] = [statements[at], statement_signatures[at]];
    const isStated = statement !== undefined && by !== undefined && statement.length > 0;
    return isStated ? { signature, stated: { statement, signature: by } } : { signature };
  });

const NOTHING = new Uint8Array(0);

/** The values of ATTESTATION_COLUMNS. */
export const attestationValues = (
  attestations: readonly KeyAttestation[],
): readonly (readonly Uint8Array[])[] => [
  attestations.map(({ signature }) => signature),
  attestations.map(({ stated }) => stated?.statement ?? NOTHING),
  attestations.map(({ stated }) => stated?.signature ?? NOTHING),
];

/** Keeps what all signers attested of a key that came to be: once, for it stays so. */
export const insertKeyAttestations = async (
  connection: Connection,
  keyId: KeyId,
  attestations: readonly KeyAttestation[],
): Promise<void> => {
  await connection.execute(
    `insert into key_attestations (key_id, ${ATTESTATION_COLUMNS}) values ($1, $2, $3, $4)`,
    [keyId, ...attestationValues(attestations)],
  );
};

/** What each signer attested of a key, by index; none of a key that a version before made. */
export const readKeyAttestations = async (
  connection: Pick<Connection, "rows">,
  keyId: KeyId,
): Promise<readonly KeyAttestation[]> => {
  const found = await connection.rows(
    rowSchema,
    `select ${ATTESTATION_COLUMNS} from key_attestations where key_id = $1`,
    [keyId],
  );
  return found.flatMap(attestationsIn);
};
