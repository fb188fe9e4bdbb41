import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { CompatWorld } from "../compat-world.ts";
import { until } from "../until.ts";
import type { PythonAccess, PythonClient } from "./python-client.ts";

const jobSchema = z.looseObject({ id: z.string(), status: z.string(), completedCount: z.int() });
const begunSchema = z.strictObject({ id: z.string(), status: z.literal("Pending") });
const jobsSchema = z.looseObject({ items: z.array(jobSchema) });
const walletsSchema = z.looseObject({
  items: z.array(z.looseObject({ name: z.string(), signingKey: z.looseObject({ id: z.string() }) })),
});

/** Tests jobs that create many wallets, which no generation of the npm library has. */
export const pythonBulkWallets = (world: () => CompatWorld, python: () => PythonClient): void => {
  const access = (): PythonAccess => {
    const { api, developer } = world().cluster.description;
    const { token, credential } = developer;
    const privateKey = readFileSync(credential.keyFile, "utf8");
    return { baseUrl: api.url, token, credential: { id: credential.id, privateKey } };
  };
  /** The result of an operation. @throws the client's exception */
  const value = async (operation: string, named: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const answer = await python().call(access(), operation, named);
    if ("message" in answer) throw new Error(`${operation}: ${answer.status} ${answer.message}`);
    return answer.value;
  };

  describe("the Python client from PyPI, on many wallets", () => {
    it("asks for three at once, waits for the job, and lists them, each with a key of its own", async () => {
      const body = { network: "EthereumSepolia", count: 3, name: "Customer", tags: ["customers"] };
      const { id } = begunSchema.parse(await value("wallets.bulk_create_wallets", { body }));
      const done = await until("Completed", async () =>
        jobSchema.parse(await value("wallets.get_bulk_wallet_job", { job_id: id })),
      );
      expect(done.completedCount).toBe(3);
      const { items } = walletsSchema.parse(
        await value("wallets.list_bulk_wallet_job_wallets", { job_id: id }),
      );
      expect(items.map(({ name }) => name).sort()).toEqual(["Customer-1", "Customer-2", "Customer-3"]);
      expect(new Set(items.map(({ signingKey }) => signingKey.id)).size).toBe(3);
      const query = { status: "Completed" };
      const jobs = jobsSchema.parse(await value("wallets.list_bulk_wallet_jobs", { query }));
      expect(jobs.items).toContainEqual(done);
    });
  });
};
