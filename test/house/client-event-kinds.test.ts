import { readFileSync, writeFileSync } from "node:fs";
import { createWebhookBodySchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { CLIENT_EVENT_KINDS, npmEventKinds, readEventKinds, textOfKinds } from "./client-event-kinds.ts";
import { NPM_CLIENTS, PYTHON_CLIENT } from "./client-operations.ts";

describe("the kinds of events that client libraries know", () => {
  // WRITE_API_TABLE=1 npx vitest run test/house/client-event-kinds.test.ts; the Python client's list: WRITE_API_TABLE=1 make clients
  it("are listed as each generation of the npm library has them; WRITE_API_TABLE=1 lists them", () => {
    const found = Object.fromEntries(Object.keys(NPM_CLIENTS).map((each) => [each, npmEventKinds(each)]));
    const text = textOfKinds({ ...found, [PYTHON_CLIENT]: readEventKinds()[PYTHON_CLIENT] ?? [] });
    if (process.env["WRITE_API_TABLE"] === "1") writeFileSync(CLIENT_EVENT_KINDS, text);
    expect(readFileSync(CLIENT_EVENT_KINDS, "utf8")).toBe(text);
  });

  it("are read whole", () => {
    const kinds = readEventKinds();
    expect([kinds["0.8.21"]?.length, kinds[PYTHON_CLIENT]?.length]).toEqual([32, 47]);
  });

  it("are taken in a webhook's subscription, all at once", () => {
    for (const events of Object.values(readEventKinds())) {
      const asked = createWebhookBodySchema.safeParse({ url: "https://example.com/hook", events });
      expect(asked.error?.issues ?? []).toEqual([]);
    }
  });
});
