import type { FamilyRegistry } from "@conclave/chains";
import type { Network } from "@conclave/custody";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { GatewayEnv } from "../dependencies.ts";
import { TAGS, tagOf } from "../routes/described.ts";
import { describeSchemas } from "./describe-schemas.ts";
import { gatherErrors } from "./errors.ts";
import { addFamilyExamples, familyValues, inFamilies, nameNetworks } from "./family-examples.ts";
import { sectionsOf } from "./introductions.ts";
import { QUICK_START } from "./quick-start.ts";
import { type ApiDocument, operationsIn } from "./types.ts";
import { addUserActionHeader } from "./user-action-header.ts";
import { wordOf } from "./vocabulary.ts";
import { markWanted } from "./wanted.ts";

const HEAD = {
  openapi: "3.1.0",
  info: { title: "Conclave", version: "0.1.0", description: QUICK_START },
  servers: [{ url: "/", description: "This gateway" }],
};

/** The parts of a service that its document depends on. */
export interface Described {
  readonly families: FamilyRegistry;
  readonly networks: readonly Network[];
  readonly userActionsRequired: boolean;
}

/** The document of all operations that an application has so far: generated from code, and completed from the vocabulary. */
export const makeDocument = (app: OpenAPIHono<GatewayEnv>, described: Described): ApiDocument => {
  const document = app.getOpenAPI31Document({
    ...HEAD,
    tags: [...sectionsOf(TAGS.map(({ name }) => name))],
  });
  for (const { path, operation } of operationsIn(document)) operation.tags = [tagOf(path)];
  gatherErrors(document);
  addUserActionHeader(document, described.userActionsRequired);
  markWanted(document);
  addFamilyExamples(document, described.families, described.networks);
  nameNetworks(document, described.networks);
  describeSchemas(document, inFamilies(wordOf, familyValues(described.families)));
  return document;
};
