import { applicationIdSchema, type OrganisationId } from "@conclave/custody";
import { type Application, type Connection, readApplication } from "@conclave/platform";

/** The header in which clients up to 0.6.12 name an application with every request (wire interface, section B.1). */
export const APPLICATION_HEADER = "x-dfns-appid";

/**
 * The application that a request names, if it is registered in the organisation and active. Any other name is ignored:
 * those clients send one even if no application was ever registered. The header proves nothing about the caller.
 */
export const namedApplication = async (
  connection: Connection,
  orgId: OrganisationId,
  header: string | undefined,
): Promise<Application | undefined> => {
  const appId = applicationIdSchema.safeParse(header);
  if (!appId.success) return undefined;
  const application = await readApplication(connection, orgId, appId.data);
  return application?.isActive === true ? application : undefined;
};
