import { timingSafeEqual } from "node:crypto";
import { type CreateUserBody, fail, type OrganisationId, ok, type Result } from "@conclave/custody";
import {
  putRegistrationCode,
  readRegistrationCode,
  readUser,
  tokenHashOf,
  type User,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { addUser, newPerson } from "../people/people.ts";

/** too many to guess */
const CODE_BYTES = 18;
const HASH_BYTES = 32;
const EXPIRES_AFTER_MS = 7 * 24 * 3_600_000;

/**
 * Invites an employee. The service sends no mail: the answer alone has the code with which they register, and the
 * inviting user passes it on.
 * @returns UserNameTaken
 */
export const inviteUser = (
  { database, now, world }: Pick<Dependencies, "database" | "now" | "world">,
  orgId: OrganisationId,
  body: CreateUserBody,
): Promise<Result<{ readonly user: User; readonly registrationCode: string }>> =>
  database.transaction(async (connection) => {
    const invited = now();
    const user = await addUser(connection, newPerson(world, orgId, body, invited.toISOString()));
    if (!user.ok) return user;
    const registrationCode = Buffer.from(world.entropy(CODE_BYTES)).toString("base64url");
    await putRegistrationCode(connection, user.value.id, {
      hash: tokenHashOf(registrationCode),
      dateExpires: new Date(invited.getTime() + EXPIRES_AFTER_MS).toISOString(),
    });
    return ok({ user: user.value, registrationCode });
  });

/**
 * The person whom this code invites. It stays valid until they have registered.
 * @returns RegistrationCodeInvalid, which does not reveal whether the user exists, or RegistrationCodeExpired
 */
export const invitedBy = async (
  { database, now, world }: Pick<Dependencies, "database" | "now" | "world">,
  asked: { readonly orgId: OrganisationId; readonly username: string; readonly registrationCode: string },
): Promise<Result<User>> => {
  const { orgId, username, registrationCode } = asked;
  const code = await readRegistrationCode(database, orgId, username);
  // compares in any case, so that the time does not reveal whether the person was invited
  const expected = code?.hash ?? world.entropy(HASH_BYTES);
  const isTheirs = timingSafeEqual(expected, tokenHashOf(registrationCode));
  if (code === undefined || !isTheirs) {
    return fail("RegistrationCodeInvalid");
  }
  if (Date.parse(code.dateExpires) <= now().getTime()) return fail("RegistrationCodeExpired");
  const user = await readUser(database, orgId, code.userId);
  return user === undefined ? fail("RegistrationCodeInvalid") : ok(user);
};
