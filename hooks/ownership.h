/* Trust: whether a path may be used, by who could have put there what is there.
 *
 * The policy stands in words in ownership.py, which says the same in Python; a test holds the two and
 * ownership.sh together. What is not trusted is neither used nor executed: distrust() says why.
 */
#include <sys/stat.h>
#ifdef __APPLE__
#include <sys/ucred.h>
#endif

#define PATH_ROOM 4096
#define MOST_LINKS 40                  /* symbolic links on one path, as Linux follows them */
#define NOBODY 65534                   /* as whom Linux shows users that a sandbox does not map */
#define ADMIN 80                       /* group of a Mac's administrators */

static char distrusted[PATH_ROOM + 100]; /* why the last path or peer was not trusted */

static int distrust(const char *what, const char *path) {
    snprintf(distrusted, sizeof distrusted, what, path);
    for (char *c = distrusted; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    return 0;
}

static int is_ours(uid_t user) { return user == 0 || user == geteuid(); }

/* Whether root is a user of this user namespace; elsewhere than on Linux it always is. */
static int has_root(void) {
    unsigned long inside;
    int found = 0;
    FILE *map = fopen("/proc/self/uid_map", "r");
    if (!map) return 1;
    while (!found && fscanf(map, "%lu %*u %*u", &inside) == 1) found = inside == 0;
    fclose(map);
    return found;
}

/* The next field of a line of /etc/passwd or /etc/group; the rest of the line begins after it. */
static char *field(char **rest) {
    char *start = *rest, *end = start + strcspn(start, ":\n");
    *rest = *end == ':' ? end + 1 : end;
    *end = 0;
    return start;
}

static int is_number(const char *text) { return *text && !text[strspn(text, "0123456789")]; }

/* Whether nobody in the group's list is anybody but root and the user of this name. */
static int is_alone(const char *members, const char *name) {
    while (*members) {
        size_t n = strcspn(members, ",");
        if (n && !(n == 4 && strncmp(members, "root", 4) == 0) &&
            !(n == strlen(name) && strncmp(members, name, n) == 0))
            return 0;
        members += n + (members[n] == ',');
    }
    return 1;
}

/* Whether nobody but this user (and root) is in the group. */
static int is_private(gid_t group) {
    char line[PATH_ROOM], name[PATH_ROOM] = "";
    uid_t me = geteuid();
    gid_t primary = getegid();
    int others = 0, own = group == 0 || group == me, alone = 1;
#ifdef __APPLE__
    if (group == ADMIN) return 1;
#endif
    FILE *users = fopen("/etc/passwd", "r");
    while (users && fgets(line, sizeof line, users)) {
        char *rest = line, *login = field(&rest);
        field(&rest);
        char *user = field(&rest), *first = field(&rest);
        if (!is_number(user) || !is_number(first)) continue;
        if (strtoul(user, NULL, 10) == me) {
            snprintf(name, sizeof name, "%s", login);
            primary = (gid_t)strtoul(first, NULL, 10);
        } else if (strtoul(first, NULL, 10) == group && strtoul(user, NULL, 10) != 0) {
            others = 1;
        }
    }
    if (users) fclose(users);
    FILE *groups = fopen("/etc/group", "r");
    while (groups && fgets(line, sizeof line, groups)) {
        int whole = strchr(line, '\n') || feof(groups); /* else there are many members */
        char *rest = line, *title = field(&rest);
        field(&rest);
        char *number = field(&rest), *members = field(&rest);
        if (!is_number(number) || strtoul(number, NULL, 10) != group) continue;
        own = own || (*name && strcmp(title, name) == 0);
        alone = alone && whole && is_alone(members, name);
    }
    if (groups) fclose(groups);
    return group == primary && own && alone && (group == 0 || !others);
}

static int trusts_owner(const char *path, const struct stat *s) {
    char what[100];
    if (is_ours(s->st_uid)) return 1;
    snprintf(what, sizeof what, "%%s belongs to user %lu", (unsigned long)s->st_uid);
    return distrust(what, path);
}

/* Whether nobody else may write it; a folder's sticky bit is the caller's matter. */
static int trusts_mode(const char *path, const struct stat *s) {
    char what[100];
    if (s->st_mode & S_IWOTH) return distrust("everybody may write %s", path);
    if (!(s->st_mode & S_IWGRP) || is_private(s->st_gid)) return 1;
    snprintf(what, sizeof what, "group %lu may write %%s", (unsigned long)s->st_gid);
    return distrust(what, path);
}

static int parts(const char *path) {
    int count = 0;
    for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
        size_t n = strcspn(path, "/");
        count += !(n == 1 && *path == '.');
        path += n;
    }
    return count;
}

/* Whether an absolute path is trusted. The last `strict` parts of it must not be writable by
 * others even with the sticky bit: 1, and 2 for a program. */
static int trusts(const char *path, int strict) {
    char at[PATH_ROOM] = "", left[PATH_ROOM], target[PATH_ROOM], joined[2 * PATH_ROOM];
    int links = 0;
    if (snprintf(left, sizeof left, "%s", path) >= (int)sizeof left)
        return distrust("%s is too long", path);
    for (;;) {
        char *name = left + strspn(left, "/"), *rest = name + strcspn(name, "/");
        size_t n = (size_t)(rest - name), here = strlen(at);
        struct stat s;
        if (!n) return 1;
        if (n == 2 && memcmp(name, "..", 2) == 0) {
            *(here ? strrchr(at, '/') : at) = 0;
        } else if (!(n == 1 && *name == '.')) {
            if (here + n + 2 > sizeof at) return distrust("%s is too long", path);
            at[here] = '/', memcpy(at + here + 1, name, n), at[here + 1 + n] = 0;
            if (lstat(at, &s) != 0)
                return errno == ENOENT ? 1 : distrust("%s cannot be looked at", at);
            int above = !S_ISLNK(s.st_mode) && parts(rest) >= strict;
            int sandboxed = above && s.st_uid == NOBODY && !has_root();
            if (!sandboxed && !trusts_owner(at, &s)) return 0;
            if (S_ISLNK(s.st_mode)) {
                ssize_t k = readlink(at, target, sizeof target - 1);
                if (k < 0 || ++links > MOST_LINKS) return distrust("%s leads in a circle", at);
                target[k] = 0;
                at[*target == '/' ? 0 : here] = 0;
                snprintf(joined, sizeof joined, "%s%s", target, rest);
                if (strlen(joined) >= sizeof left) return distrust("%s is too long", path);
                strcpy(left, joined);
                continue;
            }
            if (!(above && s.st_mode & S_ISVTX) && !trusts_mode(at, &s)) return 0;
        }
        memmove(left, rest, strlen(rest) + 1);
    }
}

/* Who began to listen at the other end; the user where the system does not say. */
static int peer_user(int fd, uid_t *user) {
#if defined __APPLE__
    struct xucred peer;
    socklen_t size = sizeof peer;
    int told = getsockopt(fd, SOL_LOCAL, LOCAL_PEERCRED, &peer, &size);
    *user = peer.cr_uid;
#elif defined __linux__
    struct { pid_t process; uid_t user; gid_t group; } peer; /* ucred, which needs _GNU_SOURCE */
    socklen_t size = sizeof peer;
    int told = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
    *user = peer.user;
#else
    int told = 0;
    (void)fd;
    *user = geteuid();
#endif
    return told == 0;
}

static int trusts_peer(int fd) {
    uid_t user = 0;
    char number[40];
    if (!peer_user(fd, &user)) return distrust("%s", "the socket does not say who serves it");
    if (is_ours(user)) return 1;
    snprintf(number, sizeof number, "%lu", (unsigned long)user);
    return distrust("user %s is at the other end of the socket", number);
}
