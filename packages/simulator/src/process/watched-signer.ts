import type { Signer } from "@conclave/platform/coordination";
import type { WorldWatch } from "../watch/world-watch.ts";

/** A signer as an orchestrator calls it: each command to it, and each of its reports, is watched. @param by the orchestrator's name */
export const watchedSigner = (signer: Signer, by: string, watch: WorldWatch): Signer => ({
  ...signer,
  begin: (named, command, listener) => {
    watch.command(by, signer.index, { named, command });
    return signer.begin(named, command, {
      report: (report) => {
        watch.report(by, signer.index, command, report);
        listener.report(report);
      },
      lost: (reason) => {
        watch.reached.add(`${by.replace(/-\d+$/, "")} loses a session`);
        listener.lost(reason);
      },
    });
  },
});
