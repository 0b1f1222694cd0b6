// @ts-check
// How `nx release` knows and changes the version of a service: it is the tag of its image in the production overlay.
import { VersionActions } from 'nx/release/index.js';

const OVERLAY = 'k8s/overlays/production/kustomization.yaml';

/** @typedef {import('nx/src/generators/tree.js').Tree} Tree */

/** One line of the overlay's `images`; the tag is its last part. */
function lineOf(/** @type {string} */ service) {
  return new RegExp(`^(  - \\{name: switchboard/${service}, .*newTag: )([^}]+)(\\})$`, 'm');
}

export default class ImageTag extends VersionActions {
  /** What is released of a service is its image, so its own folder holds no version; Nx wants a file to be named. */
  validManifestFilenames = ['project.json'];

  async readCurrentVersionFromSourceManifest(/** @type {Tree} */ tree) {
    const [, , currentVersion] = lineOf(this.projectGraphNode.name).exec(tree.read(OVERLAY, 'utf8') ?? '') ?? [];
    if (currentVersion === undefined) throw new Error(`${OVERLAY} has no image of ${this.projectGraphNode.name}`);
    return { currentVersion, manifestPath: OVERLAY };
  }

  async readCurrentVersionFromRegistry() {
    return null;
  }

  /** Services are bound by contracts, which grow; no version names another. */
  async readCurrentVersionOfDependency() {
    return { currentVersion: null, dependencyCollection: null };
  }

  async updateProjectVersion(/** @type {Tree} */ tree, /** @type {string} */ version) {
    const { name } = this.projectGraphNode;
    tree.write(OVERLAY, (tree.read(OVERLAY, 'utf8') ?? '').replace(lineOf(name), `$1${version}$3`));
    return [`${name}: tag ${version} in ${OVERLAY}`];
  }

  async updateProjectDependencies() {
    return [];
  }
}
