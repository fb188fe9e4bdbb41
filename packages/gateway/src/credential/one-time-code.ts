import type { UserId } from "@conclave/custody";
import { type CodePurpose, type Connection, putOneTimeCode, tokenHashOf } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

/** more than anybody guesses */
const CODE_BYTES = 18;

/** Makes a code that serves once, in place of any earlier one; its text is in one answer, and kept by nobody. */
export const makeOneTimeCode = async (
  { world }: Pick<Dependencies, "world">,
  connection: Connection,
  asked: { readonly purpose: CodePurpose; readonly userId: UserId; readonly dateExpires: string },
): Promise<string> => {
  const code = Buffer.from(world.entropy(CODE_BYTES)).toString("base64url");
  await putOneTimeCode(connection, { ...asked, hash: tokenHashOf(code) });
  return code;
};
