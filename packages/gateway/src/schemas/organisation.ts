import { requesterSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

/** The acts that an organisation allows the service to do by itself. */
export const organisationSettingsBodySchema = z.strictObject({ gathersCoins: z.boolean() });
export type OrganisationSettingsBody = z.infer<typeof organisationSettingsBodySchema>;

export const organisationSettingsSchema = z
  .object({
    gathersCoins: z.boolean(),
    /** the user who allowed it, and in whose name requests are made; absent while it is off */
    gathersCoinsFor: requesterSchema.optional(),
  })
  .openapi("OrganisationSettings");
export type OrganisationSettings = z.infer<typeof organisationSettingsSchema>;
