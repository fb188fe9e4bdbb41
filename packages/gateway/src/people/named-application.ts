import { applicationIdSchema, type OrganisationId } from "@conclave/custody";
import { type Application, type Connection, readApplication } from "@conclave/platform";

/** In which clients up to 0.6.12 name an application with every request (wire interface, section B.1). */
export const APPLICATION_HEADER = "x-dfns-appid";

/**
 * The application that a request names: one that is registered in the organisation, and active. Any other name says nothing: those
 * clients send one also where no application was ever registered, and it proves nothing of who calls.
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
