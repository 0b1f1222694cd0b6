import { type ApiError, api, must } from '../api/client';
import { signedIn } from '../api/session';
import { useToasts } from '../components/toasts';

/** Returns a function that signs out and shows the sign-in page, or reports that the session could not be ended. */
export function useSignOut(): () => void {
  const { tell } = useToasts();
  const leave = (): void => {
    signedIn.forget();
    // Delete this user's drafts before another user signs in.
    sessionStorage.clear();
    location.assign('/dashboard');
  };
  return () =>
    void must(api.DELETE('/console/v1/session')).then(leave, (error: ApiError) => {
      // The session has already ended.
      if (error.code === 'UNAUTHORIZED') return leave();
      tell({ kind: 'bad', text: `You are still signed in. ${error.message}`, more: error.code });
    });
}
