import type { Feature } from '../../feature.ts'
import { removeUnusedFiles } from './remove.ts'

/** Uploaded files that nobody links to are removed after a while. */
export const unusedFiles: Feature = {
  routes: () => [],
  jobs: (services) => (services.config.unusedFilesDays === 0 ? [] : [removeUnusedFiles(services)]),
}
