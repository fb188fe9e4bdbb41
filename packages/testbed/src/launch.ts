// What a program needs that has another process run the cluster: it is there at once, the rest takes most of a second to load.
export { LaunchError } from "./launch-error.ts";
export { repositoryRoot } from "./parts/service.ts";
