// @ts-check
// Runs programs of an image as orchestrators do: as the image's user, on a read-only root, without this machine's
// environment. The programs share this machine's network, so each must listen on the loopback address.
import { spawn } from 'node:child_process';
import { run } from '../lib/run.mjs';

/** Creates the mounts in a private mount namespace that ends with the program. `$0` is the image's root. */
const ENTER = `
mount --bind "$0" "$0"
mount -o remount,bind,ro "$0"
mount --rbind /dev "$0/dev"
mount -t proc proc "$0/proc"
mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"
mount -t tmpfs -o uid=1000,gid=1000 tmpfs "$0/var/lib/switchboard/blobs"
exec setpriv --no-new-privs chroot --userspec="$1:$1" "$0" env --ignore-environment --chdir="$2" "\${@:3}"`;

/**
 * @typedef {object} Image
 * @property {string} root mount point of the image
 * @property {{ Env: string[], Cmd: string[], User: string, WorkingDir: string }} config
 */

/** @param {Image} image @param {Record<string, string>} environment @param {string[]} command */
function argumentsFor({ root, config }, environment, command) {
  const variables = [...config.Env, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
  return ['--mount', 'bash', '-ec', ENTER, root, config.User, config.WorkingDir, ...variables, ...command];
}

/**
 * Runs a command in the root file system of an image, and waits for it to exit.
 * @param {Image} image
 * @param {Record<string, string>} environment
 * @param {string[]} command
 */
export function runInImage(image, environment, ...command) {
  return run('unshare', argumentsFor(image, environment, command), { timeoutMs: 180_000 });
}

/**
 * Starts the default command of an image.
 * @param {Image} image
 * @param {Record<string, string>} environment
 * @param {number} output file descriptor of its log
 */
export function startImage(image, environment, output) {
  return spawn('unshare', argumentsFor(image, environment, image.config.Cmd), { stdio: ['ignore', output, output] });
}
