import { organisationIdSchema } from "@conclave/custody";
import { activateKeyExport, activateKeyImport, openDatabase } from "@conclave/platform/postgres";
import { LaunchError, typedCommand } from "@conclave/testbed/launch";
import { UsageError } from "../../failure/usage-error.ts";
import { databaseUrlOf } from "../../operator/database-url.ts";

/** Import of clients' keys, or export of keys to clients. */
export type Passage = "import" | "export";

const ACTIVATE = { import: activateKeyImport, export: activateKeyExport } as const;
const SAID = {
  import: { allowed: "may bring keys", denied: "brings no keys" },
  export: { allowed: "may take keys out", denied: "takes no keys out" },
} as const;

/** An operator's decision for an organisation. */
export interface PassageDecision {
  readonly passage: Passage;
  /** or-… */
  readonly organisation: string;
  readonly isAllowed: boolean;
}

/**
 * Sets whether clients of an organisation may import or export keys. The gateway applies it from the next request on. Signers
 * refuse both unless their own operators allow it too, with CONCLAVE_KEY_IMPORT and CONCLAVE_KEY_EXPORT.
 *
 * Rejects with a LaunchError if there is no such organisation, or no database.
 *
 * @param state the cluster's state folder
 * @param databaseUrl from the environment, if set there
 */
export const decidePassage = async (
  state: string,
  { passage, organisation, isAllowed }: PassageDecision,
  databaseUrl: string | undefined,
): Promise<void> => {
  const orgId = organisationIdSchema.safeParse(organisation);
  if (!orgId.success) {
    throw new LaunchError(`"${organisation}" is no organisation's id`, "Such ids begin with or-.");
  }
  const database = openDatabase({ url: databaseUrlOf(state, databaseUrl), name: "conclave-operator" });
  try {
    if (!(await ACTIVATE[passage](database, orgId.data, isAllowed))) {
      throw new LaunchError(
        `there is no organisation ${orgId.data}`,
        `The banner of ${typedCommand("up")} names its own.`,
      );
    }
  } finally {
    await database.close();
  }
};

/** `conclave import` and `conclave export`: runs `decidePassage` and prints the new setting. */
export const keyPassage = async (
  state: string,
  decision: Omit<PassageDecision, "isAllowed"> & { readonly allow?: boolean; readonly deny?: boolean },
  databaseUrl: string | undefined,
): Promise<void> => {
  const { passage, organisation, allow, deny } = decision;
  if (allow === deny) throw new UsageError("say --allow or --deny");
  const isAllowed = allow === true;
  await decidePassage(state, { passage, organisation, isAllowed }, databaseUrl);
  process.stdout.write(`done: ${organisation} ${SAID[passage][isAllowed ? "allowed" : "denied"]}\n`);
};
