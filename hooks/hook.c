/* The native hook client: what delivery.py does, without an interpreter.
 *
 *     reverie-hook AGENT [HOOKS [sealed]]    HOOKS: the folder of hook.sh (else as compiled)
 *
 * Reads one event, sends it to the daemon in one frame, prints the reply's bytes. When the
 * daemon does not acknowledge in time, the event is handed through a pipe to hook.sh --python,
 * which spools it redacted under the same event id; its text never touches a disk from here.
 * Nothing of a home that is not trusted is used, and nothing is sent to another user (ownership.h):
 * one line on standard error says why. Exits 0 whatever happens. Only for hook.sh, which says
 * "sealed" when it did not look at this program anew, the program looks at itself and, before it
 * reads the event, leaves with 126. Build: cc -O2 -o reverie-hook hook.c   (C99, POSIX)
 */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "ownership.h"

#ifndef REVERIE_HOOKS
#define REVERIE_HOOKS "."
#endif
#define BUDGET_MS 110                  /* connection and reply, unless the daemon asks for more */
#define LONGEST_MS 800                 /* that it can ask for, as in delivery.py */
#define LARGEST_EVENT (15u << 20)      /* bytes; of a larger one Python reports the size */
#define LARGEST_REPLY (1u << 20)       /* bytes */
#define CHUNK 65536u
#define CANNOT_RUN 126                 /* what a shell says of a program that it cannot run */

enum outcome { ACKNOWLEDGED, AWAY, SILENT, UNTRIED, REFUSED };

static unsigned char *raw;             /* the event; its first bytes when it is too large */
static size_t size;                    /* of the event, in bytes */
static unsigned char event_id[16];
static uint64_t at;                    /* wall clock, nanoseconds */
static unsigned char answer[4 + LARGEST_REPLY];

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Wait until the descriptor is ready; 0 when the deadline passes first. */
static int ready(int fd, short events, uint64_t deadline) {
    for (;;) {
        uint64_t now = nanoseconds(CLOCK_MONOTONIC);
        struct pollfd wanted = {fd, events, 0};
        if (now >= deadline) return 0;
        uint64_t ms = (deadline - now) / 1000000u + 1;
        int n = poll(&wanted, 1, ms < 1000 ? (int)ms : 1000);
        if (n > 0) return 1;
        if (n < 0 && errno != EINTR) return 0;
    }
}

static int send_all(int fd, const unsigned char *data, size_t left, uint64_t deadline) {
    while (left) {
        ssize_t n = write(fd, data, left);
        if (n > 0) {
            data += n;
            left -= (size_t)n;
        } else if (errno != EINTR && (errno != EAGAIN || !ready(fd, POLLOUT, deadline))) {
            return 0;
        }
    }
    return 1;
}

static int read_event(void) {
    size_t room = 0;
    for (;;) {
        if (size <= LARGEST_EVENT && room - size < CHUNK) {
            room = room ? room * 2 : 2 * CHUNK;
            unsigned char *larger = realloc(raw, room);
            if (!larger) return 0;
            raw = larger;
        }
        /* Past the limit read on into the last chunk: an agent must not see a broken pipe. */
        ssize_t n = read(0, raw + (size <= LARGEST_EVENT ? size : LARGEST_EVENT), CHUNK);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0 && size > 0;
        size += (size_t)n;
    }
}

/* daemon/home.py's rule; 0 where only the Python client can tell (~, no HOME, relative). */
static int find_home(char *path, size_t room) {
    const char *chosen = getenv("REVERIE_HOME"), *shared = getenv("XDG_DATA_HOME");
    const char *user = getenv("HOME");
    int n;
    if (chosen && *chosen)
        n = *chosen != '/' ? -1 : snprintf(path, room, "%s", chosen);
    else if (shared && *shared == '/')
        n = snprintf(path, room, "%s/reverie", shared);
    else if (!user || *user != '/')
        n = -1;
    else
#ifdef __APPLE__
        n = snprintf(path, room, "%s/Library/Application Support/reverie", user);
#else
        n = snprintf(path, room, "%s/.local/share/reverie", user);
#endif
    return n > 0 && (size_t)n < room;
}

/* Say on one line what is not done, and why. */
static void say(const char *what) {
    char line[sizeof distrusted + 100];
    int n = snprintf(line, sizeof line, "reverie: %s: %s\n", what, distrusted);
    send_all(2, (unsigned char *)line, (size_t)n, UINT64_MAX);
}

/* The first line of a file that the daemon of a trusted home wrote: its length, 0 for none. Where
 * others could have written it, what is said. */
static size_t written(const char *home, const char *name, char *line, size_t room, const char *what) {
    char path[PATH_ROOM + 16];
    struct stat s;
    ssize_t n = 0;
    snprintf(path, sizeof path, "%s/%s", home, name);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return 0;
    if (fstat(file, &s) == 0) {
        if (trusts_owner(path, &s) && trusts_mode(path, &s))
            n = read(file, line, room - 1);
        else if (what)
            say(what);
    }
    close(file);
    line[n > 0 ? n : 0] = 0;
    line[strcspn(line, "\r\n")] = 0;
    return strlen(line);
}

/* Where the daemon of a trusted home listens; one of ours puts its own address there. */
static enum outcome read_address(const char *home, struct sockaddr_un *to) {
    size_t n = written(home, "address", to->sun_path, sizeof to->sun_path, "nothing is sent");
    return n ? ACKNOWLEDGED : AWAY;
}

/* Milliseconds for connection and reply, by what the daemon of a trusted home wrote. */
static uint64_t budget_of(const char *home) {
    char line[24];
    size_t n = written(home, "hook-budget", line, sizeof line, NULL);
    if (!n || line[strspn(line, "0123456789")]) return BUDGET_MS;
    unsigned long asked = strtoul(line, NULL, 10);
    asked = asked < LONGEST_MS ? asked : LONGEST_MS;
    return asked > BUDGET_MS ? asked : BUDGET_MS;
}

static enum outcome connect_to(const struct sockaddr_un *to, uint64_t deadline, int *fd) {
    for (;;) {
        *fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (*fd < 0) return SILENT;
        fcntl(*fd, F_SETFD, FD_CLOEXEC);
        fcntl(*fd, F_SETFL, O_NONBLOCK);
        if (connect(*fd, (const struct sockaddr *)to, sizeof *to) == 0) return ACKNOWLEDGED;
        int reason = errno;
        if (reason == EINPROGRESS && ready(*fd, POLLOUT, deadline)) return ACKNOWLEDGED;
        close(*fd);
        if (reason == EACCES || reason == EPERM || reason == EINPROGRESS) return SILENT;
        if (reason != EAGAIN && reason != EINTR) return AWAY;
        if (nanoseconds(CLOCK_MONOTONIC) >= deadline) return SILENT;
        nanosleep(&(struct timespec){0, 2000000}, NULL); /* the backlog is full */
    }
}

static unsigned char *big_endian(unsigned char *to, uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; i--) *to++ = (unsigned char)(value >> (8 * i));
    return to;
}

/* One frame: [version 1, id 0, kind, [agent, event id, ns, raw]]. */
static int send_frame(int fd, const char *agent, uint64_t deadline) {
    static const char start[] = "\x94\x01\x00\xa4hook\x94";
    size_t name = strlen(agent) > 255 ? 255 : strlen(agent);
    unsigned char head[400], *to = head + 4;
    memcpy(to, start, sizeof start - 1), to += sizeof start - 1;
    *to++ = 0xd9, *to++ = (unsigned char)name;
    memcpy(to, agent, name), to += name;
    *to++ = 0xc4, *to++ = 16;
    memcpy(to, event_id, 16), to += 16;
    *to++ = 0xcf, to = big_endian(to, at, 8);
    *to++ = 0xc6, to = big_endian(to, size, 4);
    big_endian(head, (uint64_t)(to - head - 4) + size, 4);
    return send_all(fd, head, (size_t)(to - head), deadline) && send_all(fd, raw, size, deadline);
}

/* The reply's bytes, NULL unless a whole ["reply" to id 0, bin] came in time. */
static const unsigned char *receive(int fd, uint64_t deadline, size_t *length) {
    size_t have = 0, want = 4;
    while (have < want) {
        ssize_t n = read(fd, answer + have, sizeof answer - have);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) return NULL;
        if (n < 0 && !ready(fd, POLLIN, deadline)) return NULL;
        if (n > 0) have += (size_t)n;
        if (want == 4 && have >= 4) {
            want += (size_t)answer[0] << 24 | answer[1] << 16 | answer[2] << 8 | answer[3];
            if (want > sizeof answer) return NULL;
        }
    }
    const unsigned char *body = answer + 4 + 9;
    if (want < 4 + 9 + 2 || memcmp(answer + 4, "\x94\x01\x00\xa5reply", 9) != 0) return NULL;
    size_t width = *body == 0xc4 ? 1 : *body == 0xc5 ? 2 : *body == 0xc6 ? 4 : 0, announced = 0;
    if (!width || want < 4 + 9 + 1 + width) return NULL;
    for (size_t i = 1; i <= width; i++) announced = announced << 8 | body[i];
    *length = announced;
    return announced == want - (4 + 9 + 1 + width) ? body + 1 + width : NULL;
}

static enum outcome deliver(const char *home, const char *agent, uint64_t deadline) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd = -1;
    size_t length = 0;
    enum outcome reached = read_address(home, &to);
    if (reached == ACKNOWLEDGED) reached = connect_to(&to, deadline, &fd);
    if (reached != ACKNOWLEDGED) return reached;
    if (!trusts_peer(fd)) {
        say("nothing is sent");
        return AWAY;
    }
    const unsigned char *output = NULL;
    if (send_frame(fd, agent, deadline)) output = receive(fd, deadline, &length);
    close(fd); /* with an answer unread: so the daemon sees that nobody was told */
    if (!output) return SILENT;
    send_all(1, output, length, UINT64_MAX);
    return ACKNOWLEDGED;
}

/* Become the Python client, with the event on its standard input from a forked writer. */
static void hand_over(const char *agent, const char *hooks, enum outcome outcome) {
    char script[4096], id[33], ns[24], bytes[24];
    int ends[2];
    if (snprintf(script, sizeof script, "%s/hook.sh", hooks) >= (int)sizeof script) return;
    for (int i = 0; i < 16; i++) snprintf(id + 2 * i, 3, "%02x", event_id[i]);
    snprintf(ns, sizeof ns, "%llu", (unsigned long long)at);
    snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)size);
    if (pipe(ends) != 0) return;
    pid_t writer = fork();
    if (writer == 0) {
        close(0), close(1), close(2), close(ends[0]);
        if (size <= LARGEST_EVENT) send_all(ends[1], raw, size, UINT64_MAX);
        _exit(0);
    }
    if (writer < 0) return;
    dup2(ends[0], 0);
    close(ends[0]), close(ends[1]);
    signal(SIGPIPE, SIG_DFL);
    execl("/bin/sh", "sh", script, agent, "--python", id, ns,
          outcome == UNTRIED ? "untried" : outcome == AWAY ? "away" : "silent", bytes,
          (char *)NULL);
}

/* Whether this program, and the file that named it to hook.sh, are the user's own. */
static int trusts_itself(const char *program, const char *home) {
    char record[PATH_ROOM + 12];
    snprintf(record, sizeof record, "%s/hook-client", home);
    return (*program != '/' || trusts(program, 2)) && trusts(record, 1);
}

int main(int count, char **arguments) {
    const char *agent = count > 1 ? arguments[1] : "unknown";
    char home[PATH_ROOM];
    enum outcome outcome = find_home(home, sizeof home) ? ACKNOWLEDGED : UNTRIED;
    signal(SIGPIPE, SIG_IGN);
    if (outcome != UNTRIED && !trusts(home, 1)) {
        say("the home is not used");
        outcome = REFUSED;
    } else if (outcome != UNTRIED && count > 3 && !trusts_itself(arguments[0], home)) {
        say("the native client is not used");
        return CANNOT_RUN;
    }
    at = nanoseconds(CLOCK_REALTIME);
    if (!read_event() || outcome == REFUSED) return 0;
    if (size > LARGEST_EVENT) outcome = UNTRIED; /* whether its folder is recorded, Python knows */
    uint64_t deadline = nanoseconds(CLOCK_MONOTONIC);
    if (outcome != UNTRIED) deadline += budget_of(home) * UINT64_C(1000000);
    int random = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (random < 0 || read(random, event_id, sizeof event_id) != (ssize_t)sizeof event_id) return 0;
    if (outcome != UNTRIED) outcome = deliver(home, agent, deadline);
    if (outcome != ACKNOWLEDGED)
        hand_over(agent, count > 2 ? arguments[2] : REVERIE_HOOKS, outcome);
    return 0;
}
