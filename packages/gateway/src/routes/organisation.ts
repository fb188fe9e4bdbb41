import type { OpenAPIHono } from "@hono/zod-openapi";
import {
  changeSettings,
  MAY_CHANGE_SETTINGS,
  needsOfSettings,
  readSettings,
} from "../coin-gathering/settings.ts";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { ORGANISATION_SETTINGS_EXAMPLES } from "../document/examples/policies.ts";
import { demand } from "../http/refused.ts";
import { judgeNeeds } from "../permission/granted.ts";
import { organisationSettingsBodySchema, organisationSettingsSchema } from "../schemas/organisation.ts";
import { answer, bodyOf, createErrors, operation } from "./operation.ts";

const settings = answer("The settings", organisationSettingsSchema);

const getSettingsRoute = operation("get", "/orgs/settings", {
  operationId: "getOrganisationSettings",
  summary: "What the organisation lets the service do by itself",
  needs: ["Orgs:Settings:Read"],
  request: {},
  answers: { 200: settings },
});

const changeSettingsRoute = operation("put", "/orgs/settings", {
  operationId: "updateOrganisationSettings",
  summary: "Let the service gather coins of Bitcoin wallets by itself, in the caller's name, or end that",
  needs: MAY_CHANGE_SETTINGS,
  request: { body: bodyOf(organisationSettingsBodySchema, ORGANISATION_SETTINGS_EXAMPLES) },
  answers: { 200: settings, ...createErrors },
});

/** Adds the operations on an organisation's settings, which are Conclave's own: no client library has them. */
export const addOrganisationRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(getSettingsRoute, async (c) => c.json(await readSettings(dependencies, c.get("caller")), 200));
  app.openapi(changeSettingsRoute, async (c) => {
    const [caller, body] = [c.get("caller"), c.req.valid("json")];
    demand(judgeNeeds(c.get("principal"), caller.userId, needsOfSettings(body)));
    return c.json(await changeSettings(dependencies, caller, body), 200);
  });
};
