import { waitUntil } from "@conclave/testbed";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { kindsOf, readEvents } from "../event-stream.ts";
import { PATIENCE_MS } from "../patience.ts";
import { cluster } from "./shared-cluster.ts";

const PATH = "/wallets/bulk-create";
const jobSchema = z.looseObject({ id: z.string(), status: z.string(), completedCount: z.int().optional() });
const walletsSchema = z.object({
  items: z.array(
    z.looseObject({ id: z.string(), address: z.string(), signingKey: z.looseObject({ id: z.string() }) }),
  ),
});

/** Tests of jobs that create many wallets. */
export const bulkWallets = (): void => {
  describe("a job that creates many wallets", () => {
    it("has the signers make a key for each of them, and announces each once", async () => {
      const body = { network: "EthereumSepolia", count: 5, name: "Customer" };
      const { id } = jobSchema.parse((await cluster.api.sendUntilServed("POST", PATH, body)).body);
      const done = await waitUntil(
        async () => {
          const job = jobSchema.parse((await cluster.api.send("GET", `${PATH}/${id}`)).body);
          return job.status === "Pending" || job.status === "InProgress" ? undefined : job;
        },
        { what: "the end of the job", deadlineMs: PATIENCE_MS, pollMs: 200 },
      );
      expect(done).toMatchObject({ status: "Completed", completedCount: 5 });
      const { items } = walletsSchema.parse((await cluster.api.send("GET", `${PATH}/${id}/wallets`)).body);
      expect(items).toHaveLength(5);
      expect(new Set(items.map(({ address }) => address)).size).toBe(5);
      expect(new Set(items.map(({ signingKey }) => signingKey.id)).size).toBe(5);
      const [wallet] = items;
      const kinds = await waitUntil(
        async () => {
          const reported = kindsOf(await readEvents(cluster.layout), wallet?.id ?? "");
          return reported.length >= 1 ? reported : undefined;
        },
        { what: "its event", deadlineMs: PATIENCE_MS, pollMs: 50 },
      );
      expect(kinds).toEqual(["wallet.created"]);
    });
  });
};
