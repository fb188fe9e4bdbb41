export { failureText, runCampaign } from "./campaign/campaign.ts";
export { drawWorld } from "./campaign/draw-world.ts";
export { runWorld, whyNotRun } from "./world/run-world.ts";
