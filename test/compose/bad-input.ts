import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot, waitUntil } from "@conclave/testbed/launch";
import { z } from "zod";
import { compose, composeWith } from "./docker.ts";
import { type Row, row } from "./table.ts";

const lineSchema = z.looseObject({ err: z.string().optional().catch(undefined) });

const SAID_MS = 120_000;
const WRONG = "p@ss/wo:rd#%";
const API_PORT = 8080;
const NEWER = "9999_of_a_newer_version.sql";
/** matches a line of a stack trace, as text and within JSON */
const STACK = /(^|\\n|\n)\s+at .*[:(]/;

/** The message of a log line: the error of a JSON line, otherwise the whole line. */
const sentenceOf = (line: string): string => {
  if (!line.startsWith("{")) return line;
  return lineSchema.parse(JSON.parse(line)).err ?? line;
};

/** Waits until a service logs these words after `since`, without a stack trace or the secret. */
const saysIn = async (service: string, words: RegExp, since: Date): Promise<string> => {
  const said = await waitUntil(
    async () => {
      const log = await compose("logs", "--no-log-prefix", "--since", since.toISOString(), service);
      return log.split("\n").find((line) => words.test(line));
    },
    { what: `${service} to say ${words}`, deadlineMs: SAID_MS, pollMs: 500 },
  );
  const log = await compose("logs", "--no-log-prefix", "--since", since.toISOString(), service);
  if (STACK.test(log)) throw new Error("there is a stack trace in the log");
  if (log.includes(WRONG)) throw new Error("the secret is in the log");
  return sentenceOf(said).slice(0, 200);
};

/** One service after another, because for the second of two Compose waits until the first is healthy. */
const recreate = async (settings: Readonly<Record<string, string>>, ...services: readonly string[]) => {
  for (const service of services) {
    await composeWith(settings, "up", "--detach", "--no-deps", "--force-recreate", service).catch(() => "");
  }
};

const withSecrets = async <T>(
  change: (folder: string) => Promise<unknown>,
  work: (folder: string) => Promise<T>,
) => {
  const folder = await mkdtemp(join(tmpdir(), "conclave-secrets-"));
  await cp(join(repositoryRoot(), "deploy", "secrets"), folder, { recursive: true });
  await change(folder);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};

const wrongPasswords = (): Promise<readonly Row[]> =>
  withSecrets(
    async (folder) => {
      await writeFile(join(folder, "postgres-password"), WRONG);
      await writeFile(join(folder, "orchestrator-password"), WRONG);
    },
    async (folder) => {
      const since = new Date();
      await recreate({ CONCLAVE_SECRETS: folder }, "gateway", "orchestrator");
      return [
        await row("a password that was changed: the gateway says it", () =>
          saysIn("gateway", /refuses the login/, since),
        ),
        await row("and the orchestrator", () => saysIn("orchestrator", /refuses the login/, since)),
      ];
    },
  );

const missingSecret = (): Promise<Row> =>
  withSecrets(
    (folder) => rm(join(folder, "nats-token")),
    (folder) =>
      row("a secret that is missing: nothing starts", () =>
        composeWith(
          { CONCLAVE_SECRETS: folder },
          "up",
          "--detach",
          "--no-deps",
          "--force-recreate",
          "gateway",
        ).then(
          () => Promise.reject(new Error("it starts")),
          (error: Error) => error.message.split("; ").at(-1)?.slice(0, 200) ?? "",
        ),
      ),
  );

const psql = (statement: string): Promise<string> =>
  compose(
    ...["exec", "-T", "postgres", "sh", "-c"],
    `PGPASSWORD=$(cat /run/secrets/postgres-password) psql -h 127.0.0.1 -U conclave -d conclave -c "${statement}"`,
  );

const newerVolume = async (): Promise<readonly Row[]> => {
  await psql(`insert into schema_migrations values ('${NEWER}', now())`);
  const since = new Date();
  await recreate({}, "gateway", "orchestrator");
  const rows = [
    await row("a database of a newer version: the gateway says it", () =>
      saysIn("gateway", /newer version/, since),
    ),
    await row("and the orchestrator ", () => saysIn("orchestrator", /newer version/, since)),
  ];
  await psql(`delete from schema_migrations where name = '${NEWER}'`);
  return rows;
};

const takenPort = async (): Promise<Row> => {
  await compose("rm", "--stop", "--force", "gateway");
  const other = createServer().listen(API_PORT, "127.0.0.1");
  const said = await row("a port that is taken: Compose says it", () =>
    compose("up", "--detach", "--no-deps", "gateway").then(
      () => Promise.reject(new Error("it starts")),
      (error: Error) =>
        /[^:;]*127\.0\.0\.1:8080.*/.exec(error.message)?.[0].trim().slice(0, 200) ?? error.message,
    ),
  );
  other.close();
  return said;
};

const unreachableChain = async (): Promise<Row> => {
  const since = new Date();
  await compose("stop", "ledger-algorand");
  // the orchestrator logs nothing about a chain that goes away while it asks nothing of it
  await compose("restart", "orchestrator");
  const said = await row("a chain that does not answer: the orchestrator says it", async () => {
    await saysIn("orchestrator", /node of Algorand does not answer/, since);
    return "The chain node of Algorand does not answer";
  });
  await compose("start", "ledger-algorand");
  return said;
};

/** Each defect around a cluster makes one sentence in a log, and the cluster recovers once it is mended. */
export const tryBadInput = async (): Promise<readonly Row[]> => {
  const rows = [await unreachableChain(), ...(await wrongPasswords()), await missingSecret()];
  rows.push(...(await newerVolume()), await takenPort());
  rows.push(
    await row("all of that mended, they are healthy again", async () => {
      await compose("up", "--detach", "--force-recreate", "--wait");
      return "";
    }),
  );
  return rows;
};
