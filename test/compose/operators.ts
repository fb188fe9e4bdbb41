import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "@conclave/testbed/launch";
import { compose, removeVolume, runTool } from "./docker.ts";
import { type Row, row, timed } from "./table.ts";
import type { Payer } from "./transfers.ts";

const LIVE_MS = 300_000;
const READERS = ["signer-1", "signer-2", "signer-3", "signer-4", "signer-5", "gateway", "orchestrator"];
const operator = (...words: readonly string[]) =>
  compose("run", "--rm", "operator", ...words, "--state", "/state");

/** Repeats a change of shares until it succeeds: it needs all signers, and is refused until they are connected. */
const untilDone = (...words: readonly string[]): Promise<string> =>
  waitUntil(() => operator(...words).catch(() => undefined), {
    what: `operator ${words.join(" ")}`,
    deadlineMs: LIVE_MS,
    pollMs: 1_000,
  });

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";

const tryLostVolume = async (payer: Payer): Promise<readonly Row[]> => [
  await row("signer-5 loses its volume: `renew-identity` gives it keys", async () => {
    await compose("rm", "--stop", "--force", "signer-5");
    await removeVolume("signer-5");
    const time = await timed(() =>
      compose("run", "--rm", "provision", "renew-identity", "signer-5", "--state", "/state"),
    );
    await compose("stop", ...READERS);
    await compose("up", "--detach", ...READERS);
    return time;
  }),
  await row("and `operator reprovision` a share of every key", async () => {
    let said = "";
    const time = await timed(async () => {
      said = lastLine(await untilDone("reprovision", "signer-5"));
    });
    return `${time}; ${said}`;
  }),
  await row("signers 1 and 2 are killed: it signs with the other two", async () => {
    await compose("kill", "--signal", "SIGKILL", "signer-1", "signer-2");
    const time = await payer.pay();
    await compose("up", "--detach", "--wait");
    return `confirmed after ${(time / 1_000).toFixed(1)} s`;
  }),
];

const tryBackup = async (payer: Payer): Promise<readonly Row[]> => {
  const folder = await mkdtemp(join(tmpdir(), "conclave-backup-"));
  const [records, keys, signer] = ["records.dump", "keys.tar", "signer-4.tar"].map((name) =>
    join(folder, name),
  );
  if (records === undefined || keys === undefined || signer === undefined) throw new Error("three files");
  const kilobytes = async (file: string) => `${Math.ceil((await stat(file)).size / 1_000)} kB`;
  const rows = [
    await row("`backup` writes records, and keys of gateway and orchestrator", async () => {
      await runTool("backup records", ">", records);
      await runTool("backup keys", ">", keys);
      return `${await kilobytes(records)}, ${await kilobytes(keys)}`;
    }),
    await row("the records are restored, and each transfer is what it was", async () => {
      await compose("stop", "gateway", "orchestrator");
      await runTool("backup restore-records", "<", records);
      await compose("up", "--detach", "--wait");
      const { accepted, confirmed } = await payer.count();
      if (confirmed !== accepted) throw new Error(`${confirmed} of ${accepted}`);
      return `${confirmed} of ${accepted}`;
    }),
    await row("a signer's volume is written, lost, and restored: it signs again", async () => {
      await compose("stop", "signer-4");
      await runTool("--no-deps --entrypoint tar signer-4 -C /signer -c .", ">", signer);
      await compose("rm", "--force", "signer-4");
      await removeVolume("signer-4");
      await runTool("--no-deps --entrypoint tar signer-4 -C /signer -x", "<", signer);
      await compose("up", "--detach", "--wait");
      await compose("kill", "--signal", "SIGKILL", "signer-1", "signer-2");
      const time = await payer.pay();
      await compose("up", "--detach", "--wait");
      return `${await kilobytes(signer)}, confirmed after ${(time / 1_000).toFixed(1)} s`;
    }),
  ];
  await rm(folder, { recursive: true });
  return rows;
};

const HALVES = ["--prepare", "--switch"];
const MEMBERS = ["orchestrator", "signer-1", "signer-2", "signer-3", "signer-4", "signer-5"];

const tryRenewal = (payer: Payer): Promise<Row> =>
  row("`renew-certificates` in two halves, all restarted after each: transfers go on", async () => {
    const times: number[] = [];
    for (const half of HALVES) {
      await compose("run", "--rm", "provision", "renew-certificates", "--state", "/state", half);
      for (const member of MEMBERS) {
        await compose("restart", member);
        await compose("up", "--detach", "--wait");
        times.push(await payer.pay());
      }
    }
    return `${times.length} confirmed, each within ${(Math.max(...times) / 1_000).toFixed(1)} s`;
  });

/** An operator's backups of a cluster, and their restore. */
export const tryOperators = async (payer: Payer): Promise<readonly Row[]> => [
  ...(await tryBackup(payer)),
  ...(await tryLostVolume(payer)),
  await tryRenewal(payer),
  await row("`operator refresh` gives every signer new shares", () => timed(() => untilDone("refresh"))),
  await row("a transfer is confirmed with them", async () => `${((await payer.pay()) / 1_000).toFixed(1)} s`),
];
