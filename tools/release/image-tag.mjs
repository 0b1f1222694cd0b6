// @ts-check
// Version actions of `nx release`: those of @nx/js, which write the service's package.json, plus an update of the image
// tag in the production overlay.
import { createRequire } from 'node:module';

const OVERLAY = 'k8s/overlays/production/kustomization.yaml';

/** @typedef {import('nx/src/generators/tree.js').Tree} Tree */

/** @type {typeof import('@nx/js/src/release/version-actions').default} */
const JsVersionActions = createRequire(import.meta.url)('@nx/js/src/release/version-actions').default;

export default class ImageTag extends JsVersionActions {
  /** @override */
  async updateProjectVersion(/** @type {Tree} */ tree, /** @type {string} */ version) {
    const { name } = this.projectGraphNode;
    const line = new RegExp(`^(  - \\{name: switchboard/${name}, .*newTag: )[^}]+\\}$`, 'm');
    const overlay = tree.read(OVERLAY, 'utf8') ?? '';
    if (!line.test(overlay)) throw new Error(`${OVERLAY} has no image of ${name}`);
    tree.write(OVERLAY, overlay.replace(line, `$1${version}}`));
    return [...(await super.updateProjectVersion(tree, version)), `tag ${version} in ${OVERLAY}`];
  }
}
