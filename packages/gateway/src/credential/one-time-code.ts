import type { UserId } from "@conclave/custody";
import { type CodePurpose, type Connection, putOneTimeCode, tokenHashOf } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

/** too many to guess */
const CODE_BYTES = 18;

/** Makes a code for a single use, which replaces any earlier one. Its text is in one answer, and not stored. */
export const makeOneTimeCode = async (
  { world }: Pick<Dependencies, "world">,
  connection: Connection,
  asked: { readonly purpose: CodePurpose; readonly userId: UserId; readonly dateExpires: string },
): Promise<string> => {
  const code = Buffer.from(world.entropy(CODE_BYTES)).toString("base64url");
  await putOneTimeCode(connection, { ...asked, hash: tokenHashOf(code) });
  return code;
};
