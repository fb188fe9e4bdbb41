import {
  credentialView,
  firstCredentialBodySchema,
  providerLoginBodySchema,
  providerLoginStartBodySchema,
  ssoLoginStartBodySchema,
} from "@conclave/custody";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { FIRST_CREDENTIAL_EXAMPLES } from "../../document/examples/credentials.ts";
import {
  PROVIDER_LOGIN_EXAMPLES,
  PROVIDER_LOGIN_START_EXAMPLES,
  SSO_LOGIN_START_EXAMPLES,
} from "../../document/examples/provider-login.ts";
import {
  beginProviderLogin,
  beginSsoLogin,
  completeProviderLogin,
  registerFirstCredential,
} from "../../login/identity-provider/provider-login.ts";
import { APPLICATION_HEADER } from "../../people/named-application.ts";
import { bodyErrors, commonErrors, roomError } from "../../schemas/error.ts";
import { credentialSchema, sessionSchema } from "../../schemas/people/credential.ts";
import {
  providerLoginSchema,
  providerPageSchema,
  ssoPageSchema,
} from "../../schemas/people/provider-login.ts";
import { answer, bodyOf } from "../operation.ts";

const page = "The provider's page, to which the browser goes";

const beginRoute = createRoute({
  method: "post",
  path: "/auth/login/oidc/init",
  operationId: "oidcLoginInit",
  summary: "Ask for the page of the organisation's identity provider",
  request: { body: bodyOf(providerLoginStartBodySchema, PROVIDER_LOGIN_START_EXAMPLES) },
  responses: { 200: answer(page, providerPageSchema), ...commonErrors, ...bodyErrors },
});

const completeRoute = createRoute({
  method: "post",
  path: "/auth/login/oidc",
  operationId: "oidcLogin",
  summary: "Log in with the code that the identity provider gave",
  request: { body: bodyOf(providerLoginBodySchema, PROVIDER_LOGIN_EXAMPLES) },
  responses: {
    200: answer(
      "A token, good for six hours, and for whoever has no credential yet the challenge for one",
      providerLoginSchema,
    ),
    ...commonErrors,
    ...bodyErrors,
  },
});

const firstCredentialRoute = createRoute({
  method: "post",
  path: "/auth/login/oidc/credentials",
  operationId: "oidcLoginCredentials",
  summary: "Register the first credential of an invited employee, who logged in at the identity provider",
  request: { body: bodyOf(firstCredentialBodySchema, FIRST_CREDENTIAL_EXAMPLES) },
  responses: {
    200: answer("The credential", credentialSchema),
    ...commonErrors,
    ...bodyErrors,
    ...roomError,
  },
});

const beginSsoRoute = createRoute({
  method: "post",
  path: "/auth/login/sso/init",
  operationId: "ssoLoginInit",
  summary: "Ask for the page of the organisation's identity provider, by the name of older clients",
  request: { body: bodyOf(ssoLoginStartBodySchema, SSO_LOGIN_START_EXAMPLES) },
  responses: { 200: answer(page, ssoPageSchema), ...commonErrors, ...bodyErrors },
});

const completeSsoRoute = createRoute({
  method: "post",
  path: "/auth/login/sso",
  operationId: "ssoLogin",
  summary: "Log in with the code that the identity provider gave, by the name of older clients",
  request: { body: bodyOf(providerLoginBodySchema, PROVIDER_LOGIN_EXAMPLES) },
  responses: { 200: answer("A token, good for six hours", sessionSchema), ...commonErrors, ...bodyErrors },
});

/** Adds the logins at an organisation's identity provider. */
export const addProviderLoginRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  app.openapi(beginRoute, async (c) =>
    c.json({ redirectUrl: await beginProviderLogin(dependencies, c.req.valid("json")) }, 200),
  );
  app.openapi(completeRoute, async (c) => {
    const appId = c.req.header(APPLICATION_HEADER);
    return c.json(await completeProviderLogin(dependencies, c.req.valid("json"), appId), 200);
  });
  app.openapi(firstCredentialRoute, async (c) =>
    c.json(credentialView(await registerFirstCredential(dependencies, c.req.valid("json"))), 200),
  );
  app.openapi(beginSsoRoute, async (c) =>
    c.json({ ssoRedirectUrl: await beginSsoLogin(dependencies, c.req.valid("json")) }, 200),
  );
  app.openapi(completeSsoRoute, async (c) => {
    const { token } = await completeProviderLogin(dependencies, c.req.valid("json"), undefined);
    return c.json({ token }, 200);
  });
};
